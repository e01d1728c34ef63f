import MartletBytes

/// How to leave a mailing list with one request and without a page for a person. RFC 8058.
///
/// `POST` `body` as `application/x-www-form-urlencoded` to `uri`: without cookies, without following redirects, and
/// only after the person has asked for it. Whatever the answer's text says is not shown.
public struct OneClickUnsubscribe: Hashable, Sendable {
    /// The body of the request, and the value of `List-Unsubscribe-Post`. RFC 8058 §3.1, §3.2.
    public static let body = "List-Unsubscribe=One-Click"

    /// An `https` URI without white space and control characters.
    public let uri: String

    /// The way to leave the list, `nil` where the message does not allow one request.
    ///
    /// Allowed it is when `List-Unsubscribe` has an `https` URI with something behind `https://`,
    /// `List-Unsubscribe-Post` says nothing but `List-Unsubscribe=One-Click` (in any case, white space around it aside),
    /// and a valid DKIM signature covers both fields (RFC 8058 §3.1, §4): otherwise anybody on the way could have put
    /// it in.
    ///
    /// - Parameters:
    ///   - unsubscribe: the only `List-Unsubscribe` field. The first `https` URI in it counts.
    ///   - post: the value of the only `List-Unsubscribe-Post` field.
    ///   - isCoveredBySignature: whether a valid DKIM signature covers both fields.
    public init?(
        unsubscribe: ListURIs, post: some Collection<UInt8>, isCoveredBySignature: Bool
    ) {
        guard isCoveredBySignature,
            let entry = unsubscribe.entries.first(where: { $0.scheme == "https" }),
            entry.uri.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del }),
            entry.uri.utf8.count > "https://".utf8.count,
            entry.uri.utf8.dropFirst(6).starts(with: "//".utf8)
        else { return nil }
        guard Self.isAllowed(by: post) else { return nil }
        uri = entry.uri
    }

    /// Whether the value of `List-Unsubscribe-Post` says that one request is enough.
    static func isAllowed(by post: some Collection<UInt8>) -> Bool {
        post.withFieldOctets { post in
            let text = post.trimmed(0..<post.count)
            return text.count == body.utf8.count
                && post.has("list-unsubscribe=one-click", at: text.lowerBound)
        }
    }
}
