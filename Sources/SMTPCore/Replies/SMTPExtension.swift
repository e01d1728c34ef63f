import MartletBytes

/// The keyword of a service extension; compared without case. RFC 5321 §4.1.1.1, IANA "SMTP Service Extensions".
public struct SMTPExtension: Hashable, Sendable, CustomStringConvertible {
    /// The keyword in upper case.
    public let keyword: String

    /// Any keyword, known here or not.
    public init(_ keyword: String) {
        self.keyword = String(decoding: keyword.utf8.map(\.uppercased), as: UTF8.self)
    }

    private init(known keyword: String) { self.keyword = keyword }

    /// RFC 1870.
    public static let size = SMTPExtension(known: "SIZE")
    /// RFC 6152.
    public static let eightBitMIME = SMTPExtension(known: "8BITMIME")
    /// RFC 4954.
    public static let auth = SMTPExtension(known: "AUTH")
    /// RFC 3207.
    public static let startTLS = SMTPExtension(known: "STARTTLS")
    /// RFC 2920.
    public static let pipelining = SMTPExtension(known: "PIPELINING")
    /// RFC 6531.
    public static let smtpUTF8 = SMTPExtension(known: "SMTPUTF8")
    /// RFC 2034.
    public static let enhancedStatusCodes = SMTPExtension(known: "ENHANCEDSTATUSCODES")
    /// RFC 3030.
    public static let chunking = SMTPExtension(known: "CHUNKING")
    /// RFC 3030.
    public static let binaryMIME = SMTPExtension(known: "BINARYMIME")
    /// RFC 3461.
    public static let dsn = SMTPExtension(known: "DSN")
    /// RFC 8689.
    public static let requireTLS = SMTPExtension(known: "REQUIRETLS")
    /// RFC 5321 §3.5.
    public static let verify = SMTPExtension(known: "VRFY")
    /// RFC 5321 §4.1.1.8.
    public static let help = SMTPExtension(known: "HELP")

    /// The keyword.
    public var description: String { keyword }
}
