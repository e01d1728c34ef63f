import MartletBytes
import MartletMIME
import MartletSignatures

/// What must hold for any octets as a message with signatures of DKIM and ARC.
///
/// What is before the first NUL is the key record of all signers; nothing there stands for the key that the seeds are
/// signed with.
package enum DKIMOracle {
    /// The key of the seeds.
    package static func key() throws -> DKIMPrivateKey {
        try DKIMPrivateKey(ed25519: Secret(octets: [UInt8](repeating: 7, count: 32)))
    }

    private static let record = (try? key().keyRecord()).map { Array($0.utf8) } ?? []

    /// When the signatures are looked at.
    private static let date = MailDate(secondsSinceEpoch: 1_900_000_000)

    /// Traps where a verifier breaks a promise.
    package static func check(_ input: [UInt8]) async {
        let end = input.firstIndex(of: 0)
        let given = Array(input[..<(end ?? 0)])
        let message = Array(input[(end.map { $0 + 1 } ?? 0)...])
        let record = given.isEmpty ? Self.record : given
        let keys: DKIMKeyLookup = { _, _ in record }
        await checkDKIM(message, DKIMVerifier(keys: keys))
        await checkARC(message, ARCVerifier(keys: keys))
    }

    private static func checkDKIM(_ message: [UInt8], _ verifier: DKIMVerifier) async {
        let report = await verifier.verify(Octets(message), at: date)
        for result in report.results {
            precondition(result.fieldRange.clamped(to: 0..<message.count) == result.fieldRange)
            precondition(isOneLine(result.description))
        }
        let outcomes = report.results.map(\.outcome)
        let pieces = try? await verifier.verify(Pieces(octets: message), at: date)
        precondition(pieces?.results.map(\.outcome) == outcomes, "a cut changes a result")
        guard !report.passingDomains.isEmpty else { return }
        let longer = await verifier.verify(Octets(message + Array("\r\n\r\nx".utf8)), at: date)
        precondition(longer.passingDomains.isEmpty, "a message of another's passes")
        let header = await verifier.verify(Octets(Array("From: x@x.example\r\n".utf8) + message))
        precondition(header.passingDomains.isEmpty, "a message with two authors passes")
    }

    private static func checkARC(_ message: [UInt8], _ verifier: ARCVerifier) async {
        let result = await verifier.verify(Octets(message), at: date)
        let pieces = try? await verifier.verify(Pieces(octets: message), at: date)
        precondition(pieces?.outcome == result.outcome, "a cut changes a result")
        precondition(result.sets.map(\.instance) == Array(1..<(result.sets.count + 1)))
        guard result.outcome == .pass else { return }
        let longer = await verifier.verify(Octets(message + Array("\r\n\r\nx".utf8)), at: date)
        precondition(longer.outcome != .pass, "a message of another's passes")
    }

    /// A message in pieces of 1, 2, 3 … octets.
    private struct Pieces: OctetSource {
        let octets: [UInt8]
        var sizeInOctets: Int { octets.count }

        func makeReader() -> any OctetReader { Reader(rest: octets[...]) }

        struct Reader: OctetReader {
            var rest: ArraySlice<UInt8>
            var size = 0

            mutating func read(atMost limit: Int) -> [UInt8] {
                size += 1
                defer { rest = rest.dropFirst(size) }
                return [UInt8](rest.prefix(min(limit, size)))
            }
        }
    }
}

/// What must hold for any octets as a message of S/MIME; what starts as DER does is taken for its CMS structure alone.
package enum SMIMEOracle {
    /// What the seeds hold, signed and encrypted.
    package static let content = "Content-Type: text/plain\r\n\r\nHello Jane,\r\nat noon?\r\n"

    /// Whose certificate and key the seeds are made with. They are for this alone.
    package static func identity() throws -> SMIMEIdentity {
        try SMIMEIdentity(certificates: Array(certificatePEM.utf8), key: Secret(keyPEM))
    }

    private static let known = try? identity()

    /// When the certificate is looked at.
    private static let date = MailDate(secondsSinceEpoch: 1_900_000_000)

    /// Traps where a reader breaks a promise.
    package static func check(_ input: [UInt8]) {
        guard let known else { preconditionFailure("the oracle's own key cannot be read") }
        let header = Array(
            """
            From: jane@example.org\r
            Content-Type: application/pkcs7-mime\r
            Content-Transfer-Encoding: base64\r
            \r

            """.utf8)
        let message = Message(
            parsing: input.first == 0x30 ? header + Base64.encode(input) : input)
        let verifier = SMIMEVerifier(trusting: [known.certificate])
        let decryptor = SMIMEDecryptor([known])
        for part in message.parts.prefix(20) where part.smimeKind != nil {
            if let result = try? verifier.verify(part, at: date) {
                check(result)
            }
            if let result = try? decryptor.decrypt(part), result.isAuthenticated {
                check(result.content)
            }
        }
        if input.first == 0x30 { _ = try? SMIMECertificate(der: input) }
    }

    private static func check(_ result: SMIMEVerification) {
        for signer in result.signers { precondition(isOneLine(signer.description)) }
        if result.isValid { check(result.content) }
    }

    /// Nobody but the seeds' maker can have signed anything else.
    private static func check(_ content: Message) {
        let octets = content.octets[0..<content.octets.count]
        precondition(
            octets.filter { $0 != ASCII.cr } == contentOctets.filter { $0 != ASCII.cr },
            "something that was never signed or encrypted is taken")
    }

    private static let contentOctets = Array(content.utf8)

    private static let certificatePEM = """
        -----BEGIN CERTIFICATE-----
        MIIBtzCCAVygAwIBAgIUQTC4lzci7izCqQRqllSwpHlgRN4wCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwESmFuZTAgFw0yNjExMzAxMjAzMTJaGA8yMTI2MTEwNjEyMDMx
        MlowDzENMAsGA1UEAwwESmFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNdp
        2modd/Af1kSLRxabz8mwBVStcsttU9u9XS8sN7G4A/P+Q05uUCPCSajpqANGlibR
        iBF0ej0pLqpsqgU6eJ+jgZMwgZAwHQYDVR0OBBYEFOX02V86o6/D4D+8405AZ8zg
        0AvfMB8GA1UdIwQYMBaAFOX02V86o6/D4D+8405AZ8zg0AvfMBsGA1UdEQQUMBKB
        EGphbmVAZXhhbXBsZS5vcmcwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCA6gw
        EwYDVR0lBAwwCgYIKwYBBQUHAwQwCgYIKoZIzj0EAwIDSQAwRgIhALbY7NPO7yDt
        G6+mHNb8FX27sVE/eKv5SIU2aVVMS2z2AiEApm+4LIxV9158aA8tjVrf6fSMGefv
        3vIbLJHkYmGf07c=
        -----END CERTIFICATE-----
        """

    private static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT9GcAqBwByP6d6RK
        IHVuyqHXikCz74DaoXPnv19v5NWhRANCAATXadpqHXfwH9ZEi0cWm8/JsAVUrXLL
        bVPbvV0vLDexuAPz/kNOblAjwkmo6agDRpYm0YgRdHo9KS6qbKoFOnif
        -----END PRIVATE KEY-----
        """
}
