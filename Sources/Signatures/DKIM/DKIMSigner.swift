import MartletBytes
import MartletMIME
import MartletCrypto

/// Signs messages for a domain. RFC 6376 §5, RFC 8463.
///
///     var signer = try DKIMSigner(domain: "example.org", selector: "mail", key: key)
///     let signed = try await signer.signed(message)     // the message with its DKIM-Signature on top
///
/// Sign what is sent, last of all: whoever changes a signed field or the body afterwards breaks the signature. Line ends
/// of any kind are signed as the CRLF that they become in SMTP. The whole body is always signed: there is no `l=`, which
/// would let anybody add to a message. The message is read once and never kept in memory.
public struct DKIMSigner: Sendable {
    /// The fields that are signed, each as often as it is there. RFC 6376 §5.4.1, without those that change on the way.
    public static let standardFields = [
        "From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To",
        "References",
        "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition",
        "Content-ID",
        "Content-Description", "Content-Language", "Auto-Submitted", "Resent-From", "Resent-Sender",
        "Resent-To",
        "Resent-Cc", "Resent-Date", "Resent-Message-ID", "List-ID", "List-Help", "List-Unsubscribe",
        "List-Unsubscribe-Post", "List-Subscribe", "List-Post", "List-Owner", "List-Archive",
        "Feedback-ID",
        "Require-Recipient-Valid-Since", "Disposition-Notification-To",
    ]

    /// The fields that are named once more than they are there, so that nobody can add one that readers would show or
    /// read the body by.
    /// RFC 6376 §8.15.
    public static let standardOversignedFields = [
        "From", "Sender", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "MIME-Version",
        "Content-Type", "Content-Transfer-Encoding",
    ]

    /// Fields that are never signed, since servers remove or change them, or since it is this one.
    static let unsignableFields: Set<String> = [
        "bcc", "resent-bcc", "return-path", "received", "dkim-signature", "authentication-results",
        "arc-seal",
        "arc-message-signature", "arc-authentication-results",
    ]

    /// The domain that signs, `d=`.
    public let domain: String
    /// The name of the key, `s=`.
    public let selector: String
    /// The key.
    public let key: DKIMPrivateKey
    /// On whose behalf the domain signs, `i=`: an address, or `@` and a domain, of the signing domain or one below it.
    /// The domain itself unless set.
    public var identity: String?
    /// How header fields are put in form.
    public var headerCanonicalization = Canonicalization.relaxed
    /// How the body is put in form.
    public var bodyCanonicalization = Canonicalization.relaxed
    /// The fields that are signed, each as often as it is there. `From` always is.
    public var fields = standardFields
    /// The fields that are named once more than they are there. `From` always is.
    public var oversignedFields = standardOversignedFields
    /// How long the signature is good, `x=`; for ever unless set.
    public var validity: Duration?

    /// A signer for `domain`, whose key is published at `SELECTOR._domainkey.DOMAIN`.
    ///
    /// - Throws: `SignatureError` when domain or selector are no domain names (A-labels or UTF-8).
    public init(domain: String, selector: String, key: DKIMPrivateKey) throws(SignatureError) {
        guard SignatureTags.isDomain(domain) else {
            throw SignatureError(.invalidParameter, "the signing domain is no domain name")
        }
        guard SignatureTags.isDomain(selector) else {
            throw SignatureError(.invalidParameter, "the selector is no domain name")
        }
        self.domain = domain
        self.selector = selector
        self.key = key
    }

    /// The `DKIM-Signature` field for `message`, with its CRLF: put it before the first octet of the message.
    ///
    /// - Parameter date: the time that the signature tells, `t=`; now unless given.
    /// - Throws: `SignatureError`, `.invalidHeader` for a message without `From` or with two, or with lines in its header
    ///   that are no fields, `.invalidParameter` for an identity of another domain or a field that cannot be signed.
    public func signature(
        for message: any OctetSource, at date: MailDate? = nil
    ) async throws(SignatureError) -> [UInt8] {
        try await sign(message, at: date).field
    }

    /// The message with its signature on top, instead of the line that an mbox may have there. It is read twice: now, and
    /// when the result is read.
    ///
    /// - Throws: as `signature(for:at:)`.
    public func signed(
        _ message: any OctetSource, at date: MailDate? = nil
    ) async throws(SignatureError) -> any OctetSource {
        let (field, header) = try await sign(message, at: date)
        // The field's lines end like the others. The line of an mbox would end the header above its other fields.
        return ReplacedStart(
            header.endsLinesWithLF ? field.filter { $0 != ASCII.cr } : field,
            instead: header.separatorSize, of: message)
    }

    private func sign(
        _ message: any OctetSource, at date: MailDate?
    ) async throws(SignatureError) -> (field: [UInt8], header: HeaderSection) {
        let limits = SignatureLimits.standard
        let body = BodyDigest(bodyCanonicalization, bareCR: .lineEnd)
        let header: HeaderSection
        do {
            if let octets = message as? Octets {
                let read = MessageReading.header(of: octets, limits: limits)
                header = read.header
                octets.withUnsafeBytes {
                    body.update(UnsafeRawBufferPointer(rebasing: $0[read.bodyStart...]))
                }
            } else {
                var reader = try message.makeReader()
                let read = try await MessageReading.header(from: &reader, limits: limits)
                header = read.header
                var piece = read.startOfBody
                repeat {
                    piece.withUnsafeBytes { body.update($0) }
                    piece = try await reader.read(atMost: MessageReading.pieceSize)
                } while !piece.isEmpty
            }
        } catch {
            throw SignatureError(.unreadable, "the message cannot be read", underlying: error)
        }
        let seconds = date?.secondsSinceEpoch ?? OpenSSL.secondsSinceEpoch
        let field = try DKIMSignatureField(
            self, header, bodyHash: body.finish().digest, seconds: seconds)
        return (try field.octets(), header)
    }
}
