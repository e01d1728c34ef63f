import Foundation

extension Turnstile {
    /// What a web view shall do with a request to go somewhere.
    public enum NavigationAction: Hashable, Sendable {
        /// Let it load.
        case allow
        /// Do nothing.
        case cancel
        /// Do not load it, and open it in the browser: somebody tapped a link.
        case openExternally(URL)
    }

    /// Decides whether the widget's web view may go somewhere: the page and Cloudflare's challenge only.
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - baseURL: ``Widget/baseURL``.
    ///   - isTopFrame: `false` for a frame inside the page, where the challenge lives and all is allowed; `nil` counts as the
    ///     top frame.
    public static func navigationAction(
        url: URL?, baseURL: URL, isTopFrame: Bool?
    ) -> NavigationAction {
        if isTopFrame == false { return .allow }
        guard let url else { return .cancel }
        let text = url.absoluteString.lowercased()
        if text == "about:blank" || text.hasPrefix("about:srcdoc") { return .allow }
        if let origin = origin(of: url),
            origin == self.origin(of: baseURL) || origin == challengeOrigin
        {
            return .allow
        }
        return text.hasPrefix("https://") ? .openExternally(url) : .cancel
    }

    /// Whether a message came from the widget's page: the origins are equal as text.
    ///
    /// - Parameter url: the address of the frame that posted the message; `nil` is not trusted.
    public static func isTrustedMessageOrigin(_ url: URL?, baseURL: URL) -> Bool {
        guard let url, let origin = origin(of: url) else { return false }
        return origin == self.origin(of: baseURL)
    }

    /// Browsers leave out a port that the scheme has anyway.
    private static func withoutDefaultPort(
        _ authority: Substring, _ scheme: Substring
    ) -> Substring {
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
        if authority.hasSuffix(port) { return authority.dropLast(port.utf8.count) }
        return authority.hasSuffix(":") ? authority.dropLast() : authority
    }

    private static let challengeOrigin = "https://challenges.cloudflare.com"

    /// The scheme and all of the authority, in lower case; `nil` without an authority.
    ///
    /// Read from the text: `URL.host` drops user names, decodes escapes, and takes what stands behind a backslash for the
    /// host, where a browser takes it for the path.
    private static func origin(of url: URL) -> String? {
        let text = url.absoluteString.lowercased()
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        guard colon > text.startIndex, rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
        guard !authority.isEmpty else { return nil }
        let scheme = text[..<colon]
        return scheme + "://" + withoutDefaultPort(authority, scheme)
    }
}
