import MartletBytes
import MartletMIME
import MartletCrypto

/// The signatures of one message while they are verified: the header first, then the body, in one pass.
protocol SignatureSession {
    associatedtype Report

    /// The hashes of the body that the signatures ask for.
    var bodies: BodyDigests { get set }

    /// Reads the signatures and looks up their keys.
    init(
        _ header: HeaderSection, now: Int64, limits: SignatureLimits,
        _ lookUp: @escaping DKIMKeyLookup
    ) async

    /// Verifies what is left, once the body was read.
    mutating func finish() -> Report
}

extension SignatureSession {
    /// Verifies a message in memory or in a mapped file.
    static func verify(
        _ message: Octets, at date: MailDate?, limits: SignatureLimits,
        _ lookUp: @escaping DKIMKeyLookup
    ) async -> Report {
        let (header, bodyStart) = MessageReading.header(of: message, limits: limits)
        var session = await Self(header, now: seconds(date), limits: limits, lookUp)
        session.bodies.read(message, from: bodyStart)
        return session.finish()
    }

    /// Verifies a message that is read piece by piece.
    static func verify(
        _ message: any OctetSource, at date: MailDate?, limits: SignatureLimits,
        _ lookUp: @escaping DKIMKeyLookup
    ) async throws(SignatureError) -> Report {
        if let octets = message as? Octets {
            return await verify(octets, at: date, limits: limits, lookUp)
        }
        do {
            var reader = try message.makeReader()
            let (header, start) = try await MessageReading.header(from: &reader, limits: limits)
            var session = await Self(header, now: seconds(date), limits: limits, lookUp)
            try await session.bodies.read(start, then: &reader)
            return session.finish()
        } catch {
            throw SignatureError(.unreadable, "the message cannot be read", underlying: error)
        }
    }

    private static func seconds(_ date: MailDate?) -> Int64 {
        date?.secondsSinceEpoch ?? OpenSSL.secondsSinceEpoch
    }
}
