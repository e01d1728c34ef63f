import MartletBytes

/// The client's side of a SASL mechanism: challenges in, responses out. RFC 4422 §3.
///
/// A value for one login. Octets are as the mechanism defines them: the protocol around it adds base64.
///
///     var mechanism: any SASLMechanism = try PLAIN(user: "alice", password: password)
///     let first = try mechanism.initialResponse()        // with AUTH, where the mechanism speaks first
///     let next = try mechanism.respond(to: challenge)    // for each challenge
///     try mechanism.finish(nil)                          // when the server says that the login is done
///
/// A mechanism does no I/O and has no clock. It may compute for a long time (deriving a key from a password takes
/// as long as the server asks for, within limits), so that no method may be called on an event loop.
///
/// Mechanisms of others conform, too, and are named in `Credentials.Proof.custom`. They may take any number of steps.
public protocol SASLMechanism: Sendable {
    /// The registered name, in upper case. RFC 4422 §3.1.
    var name: String { get }

    /// Whether who reads what the client says can log in with it: a password or a token, as it is or encoded.
    ///
    /// Such a mechanism is never used without TLS, unless the caller allows that by name.
    var sendsPlaintextSecret: Bool { get }

    /// What the client says first. `nil`: the server speaks first. An empty response is not an absent one.
    ///
    /// A protocol that cannot carry it gets an empty challenge from the server, and `respond` gives it then.
    /// - Throws: `SASLError` when there is nothing to start with, such as no ticket.
    mutating func initialResponse() throws(SASLError) -> Secret?

    /// Answers a challenge.
    ///
    /// - Throws: `SASLError` when the challenge makes no sense, or is not to be answered: cancel the login, and try another
    ///   mechanism where `allowsAnother` says so.
    mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret

    /// Hears that the server calls the login done. Must be called before that is believed.
    ///
    /// A mechanism by which the server proves itself, too (SCRAM, DIGEST-MD5, GSSAPI), has seen its last word by now, or
    /// finds it in `additionalData`.
    /// - Parameter additionalData: what the server said along with success, decoded; `nil` where the protocol has no
    ///   place for it (SMTP, POP3) or it said nothing. RFC 4422 §3.6.
    /// - Throws: `SASLError` with `.serverNotAuthentic` when the server has not proven itself: close the connection.
    mutating func finish(_ additionalData: [UInt8]?) throws(SASLError)

    /// What the server said inside the mechanism about why it refuses, for people; `nil` if nothing.
    var serverComplaint: String? { get }
}

extension SASLMechanism {
    /// `nil`.
    public var serverComplaint: String? { nil }
}
