/// One TLS connection without its socket: ciphertext in, plaintext out, and the reverse.
///
/// The owner of the socket runs this loop, always on the same thread or actor:
///
///     try engine.start()                              // a client's first flight
///     flush()
///     while … {
///         let octets = …                              // what the socket gave
///         do { try engine.receive(octets, into: &plaintext) }
///         catch { flush(); close; throw error }       // the alert goes out first
///         flush()                                     // answers, tickets, key updates
///         if engine.isHandshakeComplete { … }         // from here on `write` is allowed
///         if engine.hasReceivedCloseNotify { … }      // the peer will send no more
///     }
///     // the socket reached its end:
///     try engine.transportClosed()                    // `.truncated` without close_notify
///
///     func flush() {                                  // also after each `write` and `closeNotify`
///         engine.sendCiphertext { octets in … }       // returns how many the socket took
///     }
package protocol TLSEngine: AnyObject {
    /// Begins the handshake. A client then has ciphertext to send; a server waits.
    func start() throws(TLSFailure)

    /// Takes ciphertext from the peer, whatever its length, and appends the plaintext of the records
    /// it completes. Takes all of it; appends at most its length and one record (16 KiB) more.
    ///
    /// Goes on with the handshake while that is not done. There may be ciphertext to send afterwards,
    /// also when it throws: the alert that tells the peer. An error is final; what was appended to
    /// `plaintext` before it is good.
    func receive(
        _ ciphertext: UnsafeRawBufferPointer, into plaintext: inout [UInt8]
    ) throws(TLSFailure)

    /// Encrypts all of `plaintext` into the pending ciphertext. Write in pieces of about 64 KiB and
    /// send between them: what is pending sits in memory.
    ///
    /// - Throws: `.notOpen` before the handshake is complete and after `closeNotify`.
    func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSFailure)

    /// Tells the peer that no more will be written. RFC 8446 §6.1. Reading goes on. Does nothing
    /// before the handshake is complete, after a failure, or the second time.
    func closeNotify()

    /// Says that the peer's octets have ended.
    ///
    /// - Throws: `.closedDuringHandshake`; `.truncated` if the peer said no `close_notify` and this
    ///   side did not either; `.notTLS` if what came until then was no TLS.
    func transportClosed() throws(TLSFailure)

    /// How many octets wait to be sent.
    var pendingCiphertextCount: Int { get }

    /// Lends the octets that wait to be sent; `body` returns how many of them were. Not called when
    /// there are none.
    func sendCiphertext<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure)

    /// Whether plaintext may flow.
    var isHandshakeComplete: Bool { get }

    /// Whether the peer said that it will write no more.
    var hasReceivedCloseNotify: Bool { get }

    /// What was agreed on; `nil` before the handshake is complete.
    var connectionInfo: TLSConnectionInfo? { get }

    /// Whether the session of an earlier connection was offered.
    var hasOfferedSession: Bool { get }

    /// Forgets what was kept for this peer, since it may be why the handshake failed.
    func forgetSessions()

    /// Octets that both ends of this connection, and nobody in between, can compute; `nil` where
    /// the kind is not defined or not safe for this connection, and before the handshake is complete.
    func channelBinding(_ kind: TLSChannelBinding) -> [UInt8]?
}

extension TLSEngine {
    /// Takes ciphertext from the peer.
    package func receive(
        _ ciphertext: [UInt8], into plaintext: inout [UInt8]
    ) throws(TLSFailure) {
        try ciphertext.withUnsafeBufferPointer { octets throws(TLSFailure) in
            try receive(UnsafeRawBufferPointer(octets), into: &plaintext)
        }
    }

    /// Encrypts all of `plaintext`.
    package func write(_ plaintext: [UInt8]) throws(TLSFailure) {
        try plaintext.withUnsafeBufferPointer { octets throws(TLSFailure) in
            try write(UnsafeRawBufferPointer(octets))
        }
    }

    /// Takes at most `limit` of the octets that wait to be sent.
    package func takeCiphertext(atMost limit: Int = .max) -> [UInt8] {
        var taken: [UInt8] = []
        sendCiphertext { octets in
            taken = [UInt8](octets.prefix(limit))
            return taken.count
        }
        return taken
    }
}

/// What two peers agreed on.
public struct TLSConnectionInfo: Sendable {
    /// The version spoken.
    public let version: TLSVersion
    /// The cipher suite's name, such as `TLS_AES_256_GCM_SHA384`.
    public let cipherSuite: String
    /// The server name the client sent, if it sent one. RFC 6066 §3.
    public let serverName: String?
    /// The peer's certificate and what it sent with it; empty if it sent none. Of a resumed session
    /// only the first is known.
    public let peerCertificates: [TLSCertificate]
    /// Whether an earlier session was taken up again.
    public let isResumed: Bool
}
