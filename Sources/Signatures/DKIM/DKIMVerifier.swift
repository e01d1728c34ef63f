import MartletBytes
import MartletMIME

/// Verifies the DKIM signatures of messages. RFC 6376 §6, RFC 8301, RFC 8463.
///
///     let verifier = DKIMVerifier { selector, domain in
///         try await resolver.txt("\(selector)._domainkey.\(domain)")
///     }
///     for result in await verifier.verify(octets).results { print(result) }
///
/// Give the message as it came, octet for octet; lines that end with LF are taken for lines that ended with CRLF.
public struct DKIMVerifier: Sendable {
    /// How much is looked at.
    public var limits: SignatureLimits
    private let lookUp: DKIMKeyLookup

    /// A verifier that gets its keys from `keys`.
    public init(limits: SignatureLimits = .standard, keys: @escaping DKIMKeyLookup) {
        self.limits = limits
        lookUp = keys
    }

    /// Verifies all signatures of a message in memory or in a mapped file.
    ///
    /// - Parameter date: the time for which signatures are looked at; now unless told.
    public func verify(_ message: Octets, at date: MailDate? = nil) async -> DKIMReport {
        await DKIMSession.verify(message, at: date, limits: limits, lookUp)
    }

    /// Verifies all signatures of a message that is read piece by piece.
    ///
    /// - Throws: `SignatureError` when the source cannot be read.
    public func verify(
        _ message: any OctetSource, at date: MailDate? = nil
    ) async throws(SignatureError) -> DKIMReport {
        try await DKIMSession.verify(message, at: date, limits: limits, lookUp)
    }
}
