import Foundation

/// The addresses below that of the service.
struct Endpoint {
    /// The address of the service without slashes at its end, query and fragment; its scheme in lower case, since not all
    /// systems know `HTTPS`.
    let base: String

    init(apiURL: URL) {
        var text = Substring(apiURL.absoluteString)
        if let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) { text = text[..<end] }
        while text.hasSuffix("/") { text.removeLast() }
        let scheme = text.prefix { $0 != ":" }
        base = scheme.lowercased() + text[scheme.endIndex...]
    }

    var send: URL? { URL(string: base + "/v1/send") }
    var publicConfig: URL? { URL(string: base + "/v1/public-config") }

    /// `nil` for an ID that cannot be one segment of a path.
    func message(_ id: String) -> URL? {
        guard !["", ".", ".."].contains(id),
            let segment = id.addingPercentEncoding(withAllowedCharacters: Endpoint.unreserved)
        else { return nil }
        return URL(string: base + "/v1/messages/" + segment)
    }

    /// What may stand in any part of an address as it is (RFC 3986 §2.3).
    static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
