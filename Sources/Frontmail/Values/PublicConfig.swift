import Foundation

/// What a service tells every app, without a key.
public struct PublicConfig: Hashable, Sendable {
    /// The widget that all apps of the service share.
    public let turnstile: SharedTurnstile

    /// The keys of the shared widget. What the service does not have is `nil`.
    public struct SharedTurnstile: Hashable, Sendable {
        /// The site key of the widget.
        public let mobileSiteKey: String?
        /// The address that the widget's page is shown under. Nothing is loaded from it.
        public let mobileBaseURL: URL?

        /// Makes keys, for tests and previews of your own.
        public init(mobileSiteKey: String?, mobileBaseURL: URL?) {
            self.mobileSiteKey = mobileSiteKey
            self.mobileBaseURL = mobileBaseURL
        }
    }

    /// Makes a configuration, for tests and previews of your own.
    public init(turnstile: SharedTurnstile) { self.turnstile = turnstile }

    /// - Throws: ``FrontmailError`` with the code `invalid_response` if it is no such answer.
    init(reply: Reply) throws {
        guard let turnstile = try reply.members()["turnstile"]?.objectValue else {
            throw reply.invalid("it has no object \"turnstile\"")
        }
        let (key, base) = (turnstile["mobileSiteKey"], turnstile["mobileBaseUrl"])
        self.init(
            turnstile: SharedTurnstile(
                mobileSiteKey: key?.stringValue.flatMap { $0.isEmpty ? nil : $0 },
                mobileBaseURL: base?.stringValue.flatMap(PublicConfig.pageAddress)))
    }

    /// An address that a web view can show a page under: https, or http on the own machine.
    private static func pageAddress(_ text: String) -> URL? {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else { return nil }
        switch url.scheme?.lowercased() {
        case "https": return url
        case "http": return ["localhost", "127.0.0.1", "::1"].contains(host) ? url : nil
        default: return nil
        }
    }
}
