import MartletBytes

/// What a server says about a token that it refuses. RFC 7628 §3.2.2; Google and Microsoft do the same in XOAUTH2.
///
///     {"status":"invalid_token","scope":"mail","openid-configuration":"https://…"}
public struct OAuthRefusal: Sendable, Hashable, CustomStringConvertible {
    /// Most octets that are read.
    public static let sizeLimitInOctets = 16 * 1024

    /// `invalid_token`, `insufficient_scope`, or an HTTP status such as `401`.
    public var status: String?
    /// The scopes that a token must have.
    public var scope: String?
    /// The kinds of tokens taken, such as `bearer`.
    public var schemes: String?
    /// Where the server's OpenID configuration is.
    public var openIDConfiguration: String?
    /// What the server said, as it said it, shortened and without control characters.
    public var words: String

    /// Reads what a server said, which may be anything.
    public init(_ octets: [UInt8]) {
        words = ServerText.clean(octets)
        guard octets.count <= Self.sizeLimitInOctets, let members = JSONMembers(octets) else {
            return
        }
        func member(_ name: String) -> String? {
            members[name].map { ServerText.clean($0.utf8) }
        }
        status = member("status")
        scope = member("scope")
        schemes = member("schemes")
        openIDConfiguration = member("openid-configuration")
    }

    /// Whether another token of the same grant would be refused, too.
    public var isForGood: Bool { status == "insufficient_scope" || status == "invalid_request" }

    /// Half a sentence for a person.
    public var description: String {
        guard let status else { return words.isEmpty ? "the token was refused" : words }
        let wanted = scope.map { $0.isEmpty ? "" : ", wanted scope \($0)" } ?? ""
        return "token status \(status)" + wanted
    }
}
