import Foundation

extension Turnstile {
    /// What the page tells.
    public enum Message: Hashable, Sendable {
        /// The visitor passed: a token for ``SendOptions/turnstileToken``, good for one send within some five minutes.
        case token(String)
        /// The token has grown too old; another one follows, or the widget has to be clicked again.
        case expired
        /// The widget failed. Cloudflare lists the codes; `script_load_failed` and `render_failed` (a
        /// site key or language that is none) are the page's own.
        case error(code: String?)
    }

    /// Reads the body of a message that a web view's handler got.
    ///
    /// Call it only for messages of the main frame whose origin ``isTrustedMessageOrigin(_:baseURL:)`` trusts.
    ///
    /// - Parameter body: JSON text, as the page posts it, or a dictionary.
    /// - Returns: `nil` for whatever is no such message.
    public static func parseMessage(_ body: Any) -> Message? {
        let members: [String: Any]
        if let text = body as? String {
            guard text.utf8.count <= messageLimitInOctets,
                let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
                let dictionary = object as? [String: Any]
            else { return nil }
            members = dictionary
        } else if let dictionary = body as? [String: Any] {
            members = dictionary
        } else {
            return nil
        }
        return message(members)
    }

    private static func message(_ members: [String: Any]) -> Message? {
        guard members["source"] as? String == "frontmail-turnstile",
            let type = members["type"] as? String
        else { return nil }
        var code: String?
        if let value = members["code"] {
            guard let text = value as? String, text.utf16.count <= codeLimit else { return nil }
            code = text
        }
        switch type {
        case "token":
            guard let token = members["token"] as? String, !token.isEmpty,
                token.utf16.count <= tokenLimit
            else { return nil }
            return .token(token)
        case "expired": return .expired
        case "error": return .error(code: code)
        default: return nil
        }
    }

    /// Octets of a message that are read; a longer one is none.
    private static let messageLimitInOctets = 64 * 1024
    /// UTF-16 units of a token.
    private static let tokenLimit = 4_096
    /// UTF-16 units of an error's code.
    private static let codeLimit = 64
}
