import Foundation

extension Turnstile {
    /// A widget: its site key, and the address that its page is shown under.
    public struct Widget: Hashable, Sendable {
        /// The public half of the Turnstile keys.
        public let siteKey: String
        /// The address for `loadHTMLString(_:baseURL:)`. Nothing is loaded from it, but its host has to be one that the site
        /// key allows.
        public let baseURL: URL
        /// What ``SendOptions/turnstileKey`` has to be for this widget's tokens.
        public let turnstileKey: Key

        /// A widget with the account's own Turnstile keys.
        ///
        /// - Parameters:
        ///   - siteKey: the site key.
        ///   - baseURL: an address whose host is allowed for that key; for others the widget reports the error `110200`.
        public static func custom(siteKey: String, baseURL: URL) -> Widget {
            Widget(siteKey: siteKey, baseURL: baseURL, turnstileKey: .org)
        }
    }

    /// The widget that all apps of the service share; no Turnstile account is needed for it.
    ///
    /// The service is asked once in the life of the process.
    ///
    /// - Throws: ``FrontmailError``: that of ``Frontmail/Frontmail/publicConfig()``, or
    ///   ``FrontmailError/Code/captchaFailed`` with the detail `reason`: `not_configured` if the service has no shared
    ///   widget; use ``Widget/custom(siteKey:baseURL:)`` then.
    public static func widget(client: Frontmail) async throws -> Widget {
        let shared = try await client.publicConfig().turnstile
        guard let siteKey = shared.mobileSiteKey, let baseURL = shared.mobileBaseURL else {
            throw FrontmailError(
                .captchaFailed,
                "The service has no Turnstile widget for apps; use one of your own.",
                details: ["reason": "not_configured"])
        }
        return Widget(siteKey: siteKey, baseURL: baseURL, turnstileKey: .frontmail)
    }
}
