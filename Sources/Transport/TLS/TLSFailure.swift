import MartletBytes

/// Why a connection could not be secured, or stopped being secure.
public struct TLSFailure: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The server signed its certificate itself.
        case selfSigned(subject: String)
        /// The certificate's issuer is not trusted, or its certificate was not sent along.
        case untrustedIssuer(issuer: String)
        /// A certificate of the chain is past its end.
        case expired(subject: String, notAfter: TLSTime)
        /// A certificate of the chain is not valid yet; often the own clock is wrong.
        case notYetValid(subject: String, notBefore: TLSTime)
        /// The certificate is for other names.
        case wrongHost(expected: String, presented: [String])
        /// A certificate of the chain was taken back by its issuer.
        case revoked(subject: String)
        /// A certificate of the chain is broken, too weak or made for something else.
        case badCertificate(String)
        /// No key of the chain is pinned; the keys it has.
        case pinMismatch(presented: [PublicKeyPin])
        /// There is no version in common; the peer's newest one, where it is known and too old.
        case tooOldProtocol(peer: TLSVersion?)
        /// The peer does not speak TLS here; what it said, at most 128 octets.
        case notTLS(firstOctets: [UInt8])
        /// The server wants a client certificate and got none.
        case clientCertificateRequired
        /// The server did not accept the client certificate.
        case clientCertificateRefused(TLSAlert)
        /// The client did not accept the server's certificate (seen by a server).
        case serverCertificateRefused(TLSAlert)
        /// The two found nothing in common; the alert, if the peer sent one.
        case handshakeFailed(TLSAlert?)
        /// The peer closed the connection before it was secure.
        case closedDuringHandshake
        /// The octets ended without `close_notify`: what came may be cut short.
        case truncated
        /// A record was damaged or out of order; the alert, if the peer sent one.
        case protocolViolation(TLSAlert?)
        /// A certificate, key or name given by the caller cannot be used.
        case invalidConfiguration(String)
        /// Plaintext was written before the handshake was complete or after the end.
        case notOpen
    }

    /// What to do about it.
    public enum Recovery: Sendable, Hashable {
        /// Change the configuration.
        case fixInput
        /// A new connection may do.
        case reconnect
        /// Nothing this side can do while the server stays as it is.
        case giveUp
    }

    /// What went wrong.
    public let kind: Kind
    /// The TLS library's own words, for logs. May be empty.
    public let reason: String

    /// A failure.
    public init(_ kind: Kind, reason: String = "") {
        self.kind = kind
        self.reason = reason
    }

    /// What to do about it.
    public var recovery: Recovery {
        switch kind {
        case .selfSigned, .untrustedIssuer, .wrongHost, .pinMismatch, .notTLS,
            .clientCertificateRequired, .clientCertificateRefused, .invalidConfiguration, .notOpen,
            .notYetValid:
            .fixInput
        case .closedDuringHandshake, .truncated, .protocolViolation:
            .reconnect
        case .expired, .revoked, .badCertificate, .tooOldProtocol, .handshakeFailed,
            .serverCertificateRefused:
            .giveUp
        }
    }
}

extension TLSFailure: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence that says what happened, and one that says what to do.
    public var description: String {
        switch kind {
        case .selfSigned(let subject):
            "The server's certificate (\(subject)) is signed by itself, so nobody vouches for it. "
                + "If it is yours, trust it by its file or pin its key."
        case .untrustedIssuer(let issuer):
            "The server's certificate was issued by \(issuer), which is not trusted here, or the "
                + "server leaves out a certificate in between. Add the authority to the trusted "
                + "ones if it is yours."
        case .expired(let subject, let notAfter):
            "The certificate of \(subject) expired at \(notAfter). Its owner must renew it; check "
                + "this machine's clock too."
        case .notYetValid(let subject, let notBefore):
            "The certificate of \(subject) is not valid before \(notBefore). Check this machine's "
                + "clock."
        case .wrongHost(let expected, let presented):
            "The server's certificate is not for \(expected) but for "
                + "\(Self.list(presented)). Use a name it carries, or check that this is the "
                + "right server."
        case .revoked(let subject):
            "The certificate of \(subject) was revoked by its issuer. Do not trust this server "
                + "until it has a new one."
        case .badCertificate(let problem):
            "The peer's certificate cannot be accepted: \(problem). Its owner must replace it."
        case .pinMismatch(let presented):
            "None of the server's keys is pinned. It has \(Self.list(presented.map(\.description)))"
                + ". Pin a new key only if you know that it changed."
        case .tooOldProtocol(let peer?):
            "The peer speaks at most \(peer), which is too old to be safe. It must be updated."
        case .tooOldProtocol(nil):
            "The peer speaks none of the TLS versions that are allowed here, so it is probably too "
                + "old. It must be updated."
        case .notTLS(let firstOctets):
            "The peer does not speak TLS on this port: it said \(Self.quoted(firstOctets)). Use "
                + "STARTTLS there, or the port for implicit TLS."
        case .clientCertificateRequired:
            "The server wants a client certificate. Give one with its key."
        case .clientCertificateRefused(let alert):
            "The server refused the client certificate (\(alert)). Give one that it trusts."
        case .serverCertificateRefused(let alert):
            "The client refused this server's certificate (\(alert)). It may not trust the issuer."
        case .handshakeFailed(let alert):
            "The peer and this side could not agree on how to secure the connection"
                + (alert.map { " (\($0))" } ?? Self.parenthesis(reason))
                + ". The peer's TLS settings need a look."
        case .closedDuringHandshake:
            "The peer closed the connection before it was secure. Try again; if it stays so, the "
                + "port may not be one for TLS."
        case .truncated:
            "The connection was cut without notice, so the end of what came may be missing. "
                + "Connect again."
        case .protocolViolation(let alert):
            "The secured connection broke"
                + (alert.map { " (\($0))" } ?? Self.parenthesis(reason))
                + ". Connect again."
        case .invalidConfiguration(let problem):
            "The TLS settings cannot be used: \(problem)."
        case .notOpen:
            "The secured connection is not open, so nothing can be written."
        }
    }

    /// The kind, the library's words.
    public var debugDescription: String { "TLSFailure(\(kind), reason: \"\(reason)\")" }

    /// How many names a sentence shows.
    private static let namesShown = 5

    private static func list(_ items: [String]) -> String {
        if items.isEmpty { return "no name at all" }
        let more = items.count - namesShown
        return items.prefix(namesShown).joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    private static func parenthesis(_ text: String) -> String { text.isEmpty ? "" : " (\(text))" }

    /// The first line, printable ASCII only.
    private static func quoted(_ octets: [UInt8]) -> String {
        let line = octets.prefix { $0 != ASCII.cr && $0 != ASCII.lf }
        let shown = line.map { $0.isControl || $0 > 0x7E ? UInt8(ascii: "?") : $0 }
        return "\"" + String(decoding: shown, as: UTF8.self) + "\""
    }
}
