import MartletBytes

/// The value of a `Received` field: a server's note of how a message came to it. RFC 5321 §4.4.
///
/// Servers write much else than the RFC has, so everything is optional here, and comments are looked
/// through for what servers are known to put there. Anybody on the way can write such a field: only those that
/// one's own servers have put on top say what is so.
public struct Received: Hashable, Sendable {
    /// What was said of the encryption of the connection.
    public struct TLS: Hashable, Sendable {
        /// `TLSv1.3`, whatever way it was written; `nil` if only the cipher is known.
        public var version: String?
        /// The name of the cipher suite, in the words of the server's TLS library.
        public var cipher: String?

        /// A version and a cipher.
        public init(version: String? = nil, cipher: String? = nil) {
            self.version = version
            self.cipher = cipher
        }
    }

    /// What the client called itself, or what the server took as its name: a domain, or an IP address without brackets.
    public var from: String?
    /// The IP address of the client, without brackets, `IPv6:`, port and zone.
    public var address: String?
    /// The name that the client's address has in DNS, if the server noted one; it has a dot.
    public var reverseName: String?
    /// What the client said in HELO, EHLO or LHLO where that is noted apart from `from`.
    public var helo: String?
    /// Who the client's user is, by RFC 1413 or by authentication, as it stands.
    public var ident: String?
    /// The server.
    public var by: String?
    /// The link (`via`), such as `TCP`.
    public var via: String?
    /// All words of `with`, such as `ESMTPS` or `Microsoft SMTPSVC`; see `transmissionType`.
    public var with: String?
    /// The server's name for the message, without angle brackets.
    public var id: String?
    /// Whom it was for, without angle brackets.
    public var recipient: String?
    /// The encryption, if something is said of it.
    public var tls: TLS?
    /// When it came.
    public var date: MailDate?

    /// A note that says nothing.
    public init() {}

    /// Reads the value of a field, which may be folded. Never fails; takes time linear in its length.
    ///
    /// - Parameter limits: `valueSizeInOctets`; what is beyond is not read.
    /// - Returns: what could be told, with the defects of the date (`invalidDate` without one).
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<Received> {
        octets.readField(within: limits) { octets in
            var reader = ReceivedReader(octets)
            return reader.read()
        }
    }

    /// The registered name of the protocol in `with`, in upper case: `ESMTPSA`, `LMTP`, `UTF8SMTPS`, `HTTP` (RFC 3848,
    /// RFC 6531 §4.3), or `LOCAL`. `nil` where none is in it.
    public var transmissionType: String? {
        let known: Set<String> = [
            "SMTP", "ESMTP", "ESMTPA", "ESMTPS", "ESMTPSA", "LMTP", "LMTPA", "LMTPS", "LMTPSA",
            "UTF8SMTP", "UTF8SMTPA", "UTF8SMTPS", "UTF8SMTPSA", "UTF8LMTP", "UTF8LMTPA",
            "UTF8LMTPS",
            "UTF8LMTPSA", "MMS", "HTTP", "IMAP", "POP3",
        ]
        let pieces = (with ?? "").utf8.split { !$0.isLetter && !$0.isDigit }
            .map { String(decoding: $0.map(\.uppercased), as: UTF8.self) }
        for (index, piece) in pieces.enumerated() {
            if known.contains(piece) {
                let isEncrypted = piece == "ESMTP" && pieces.dropFirst(index + 1).first == "TLS"
                return isEncrypted ? "ESMTPS" : piece
            }
            if piece == "BSMTP" || piece.hasPrefix("SMTP") { return "SMTP" }
            if piece.hasPrefix("HTTP") { return "HTTP" }
        }
        return pieces.contains("LOCAL") ? "LOCAL" : nil
    }
}
