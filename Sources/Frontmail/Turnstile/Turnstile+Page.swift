import Foundation

extension Turnstile {
    /// The page that shows the widget, for `loadHTMLString(_:baseURL:)` with ``Widget/baseURL``.
    ///
    /// It loads one script, Cloudflare's, and posts what happens to the handler ``messageHandlerName``, for
    /// ``parseMessage(_:)``. No value that is given here can leave its place in the page.
    ///
    /// - Parameters:
    ///   - siteKey: ``Widget/siteKey``.
    ///   - theme: the colours.
    ///   - size: the shape; see ``Size/recommendedHeight``.
    ///   - action: a name for this place in your app, up to 32 of `a-z`, `0-9`, `_` and `-`, shown in Cloudflare's statistics.
    ///   - language: the widget's language such as `pl`; that of the system if it is `nil`.
    public static func html(
        siteKey: String, theme: Theme = .auto, size: Size = .normal, action: String? = nil,
        language: String? = nil
    ) -> String {
        var options: [String: String] = [
            "sitekey": siteKey, "theme": theme.rawValue, "size": size.rawValue,
            "language": language.flatMap { $0.isEmpty ? nil : $0 } ?? "auto",
        ]
        if let action, !action.isEmpty { options["action"] = action }
        return page(options: scriptLiteral(options))
    }

    /// JSON that can stand inside of a script element, whatever the values are.
    private static func scriptLiteral(_ options: [String: String]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text always encodes.
        let json =
            (try? encoder.encode(options)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        var literal = ""
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal
    }

    /// The callbacks stand before Cloudflare's script, which calls the first of them. The policy names the host without a
    /// scheme: it takes the page's own.
    private static func page(options: String) -> String {
        """
        <!DOCTYPE html>
        <html>
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' challenges.cloudflare.com; \
        frame-src challenges.cloudflare.com; object-src 'none'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no">
        <style>
        html, body { margin: 0; padding: 0; background: transparent; }
        #widget { display: flex; justify-content: center; }
        </style>
        <script>
        function frontmailPost(message) {
          message.source = "frontmail-turnstile";
          try { window.webkit.messageHandlers.\(messageHandlerName).postMessage(JSON.stringify(message)); }
          catch (error) { /* shown outside of an app: nobody listens */ }
        }
        function frontmailReady() {
          var options = \(options);
          options.callback = function (token) { frontmailPost({ type: "token", token: token }); };
          options["expired-callback"] = function () { frontmailPost({ type: "expired" }); };
          options["error-callback"] = function (code) {
            frontmailPost({ type: "error", code: code === undefined || code === null ? "" : String(code) });
            return true;
          };
          try { window.\(widgetVariable) = window.turnstile.render("#widget", options); }
          catch (error) { frontmailPost({ type: "error", code: "render_failed" }); }
        }
        function frontmailFailed() { frontmailPost({ type: "error", code: "script_load_failed" }); }
        </script>
        </head>
        <body>
        <div id="widget"></div>
        <script src="https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&amp;onload=frontmailReady" \
        async defer onerror="frontmailFailed()"></script>
        </body>
        </html>
        """
    }
}
