import Foundation

/// What an app needs to show Cloudflare's Turnstile widget in a web view of its own, as plain values: the page, the parser
/// of its messages, the rules of where it may go. Nothing here imports WebKit.
///
/// The article <doc:FrontmailInSwiftUI> puts it all together.
public enum Turnstile {
    /// The name of the message handler that the page posts to.
    public static let messageHandlerName = "frontmailTurnstile"

    /// JavaScript that makes the page's widget begin anew, for `evaluateJavaScript`. A token is good for one send: run it
    /// after each. Gives `true`, or `false` if the widget is not there (yet).
    public static let resetScript = """
        (function () {
          try { window.turnstile.reset(window.\(widgetVariable)); return true; }
          catch (error) { return false; }
        })()
        """

    /// Where the page keeps the name of its widget.
    static let widgetVariable = "frontmailTurnstileWidget"

    /// Whose Turnstile keys a token belongs to.
    public enum Key: String, Hashable, Sendable {
        /// The account's own keys.
        case org
        /// The keys of the widget that all apps of the service share.
        case frontmail
    }

    /// The widget's colours.
    public enum Theme: String, Hashable, Sendable {
        /// Those of the system.
        case auto
        /// Dark on light.
        case light
        /// Light on dark.
        case dark
    }

    /// The widget's shape.
    public enum Size: String, Hashable, Sendable {
        /// 300 points wide, 65 high.
        case normal
        /// As wide as there is room, at least 300 points; 65 high.
        case flexible
        /// 150 points wide, 140 high.
        case compact

        /// The height in points of a web view that shows it without scrolling.
        public var recommendedHeight: CGFloat {
            switch self {
            case .normal, .flexible: 70
            case .compact: 140
            }
        }
    }
}
