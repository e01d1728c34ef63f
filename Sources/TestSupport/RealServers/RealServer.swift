/// An SMTP server that others wrote, started for a test and ended after it.
///
/// `Scripts/servers` runs each from its Debian packages without installing them. All deliver mail for `example.test` and
/// refuse `nobody-here@example.test` for good and `later@example.test` for now; their users are `alice` with the
/// password `alicepw` and `bob` with `bobpw`.
public enum RealServer: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Postfix, with SASL by Dovecot.
    case postfix
    /// Exim, over GnuTLS.
    case exim
    /// OpenSMTPD: plain SMTP only, as TLS of Debian 12's build is broken.
    case openSMTPD = "opensmtpd"
    /// aiosmtpd, the plainest: no PIPELINING, no enhanced status codes.
    case aiosmtpd

    /// The name in test output.
    public var description: String { rawValue }

    /// Whether it has STARTTLS, implicit TLS and AUTH.
    public var offersTLS: Bool { self != .openSMTPD }
    /// The SASL mechanisms that it offers over TLS.
    public var mechanisms: [String] {
        switch self {
        case .postfix:
            ["PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256"]
        case .exim: ["PLAIN", "LOGIN", "CRAM-MD5"]
        case .openSMTPD: []
        case .aiosmtpd: ["PLAIN", "LOGIN"]
        }
    }
    /// Whether `MAIL` with a `SIZE` above the limit is refused; else only the message itself is.
    public var checksDeclaredSize: Bool { self != .openSMTPD }
    /// Whether a Bcc field that a client left in a message is taken out.
    public var removesBcc: Bool { self == .openSMTPD }

    /// Whether what the server adds to a message counts as well, so that one of exactly the limit is refused.
    public var countsItsOwnFieldsInSize: Bool { self == .postfix }

    /// Whether a message with the null path shows that by an empty Return-Path; else it has none.
    public var showsNullPath: Bool { self != .openSMTPD }

    /// Whether a message without Date or Message-ID gets one.
    public var completesMessages: Bool { self == .openSMTPD }

    /// Fields that the server puts on top of each message, each of them once.
    var traceFields: Set<String> {
        switch self {
        case .postfix, .openSMTPD: ["return-path", "delivered-to", "received"]
        case .exim: ["return-path", "received"]
        case .aiosmtpd: ["return-path"]
        }
    }

    /// Why the server cannot be started here, in a sentence; nil if it can.
    public var unavailableReason: String? { script.unavailableReason }
    /// Whether the server can be started here.
    public var isAvailable: Bool { unavailableReason == nil }

    /// The script that starts and stops it.
    var script: ServerScript { ServerScript(name: rawValue) }
}
