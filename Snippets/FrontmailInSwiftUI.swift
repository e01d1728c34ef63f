// A Turnstile widget in SwiftUI. It needs WebKit and UIKit: on Linux nothing of it is built, and nobody has run it here.
#if canImport(SwiftUI) && canImport(UIKit) && canImport(WebKit)
    import Frontmail
    import SwiftUI
    import WebKit

    struct TurnstileView: UIViewRepresentable {
        let widget: Turnstile.Widget
        /// Change it to ask for another token: after each send, good or bad.
        let round: Int
        let onMessage: (Turnstile.Message) -> Void

        func makeCoordinator() -> Coordinator { Coordinator(self) }

        func makeUIView(context: Context) -> WKWebView {
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = .nonPersistent()
            configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
            configuration.userContentController.add(
                context.coordinator, name: Turnstile.messageHandlerName)
            let view = WKWebView(frame: .zero, configuration: configuration)
            view.navigationDelegate = context.coordinator
            view.uiDelegate = context.coordinator
            view.isOpaque = false
            view.backgroundColor = .clear
            view.scrollView.isScrollEnabled = false
            view.loadHTMLString(
                Turnstile.html(siteKey: widget.siteKey, size: .flexible), baseURL: widget.baseURL)
            return view
        }

        func updateUIView(_ view: WKWebView, context: Context) {
            context.coordinator.parent = self
            if context.coordinator.round != round {
                context.coordinator.round = round
                view.evaluateJavaScript(Turnstile.resetScript)
            }
        }

        static func dismantleUIView(_ view: WKWebView, coordinator: Coordinator) {
            view.configuration.userContentController.removeScriptMessageHandler(
                forName: Turnstile.messageHandlerName)
        }

        final class Coordinator: NSObject, WKScriptMessageHandler, WKNavigationDelegate,
            WKUIDelegate
        {
            var parent: TurnstileView
            var round: Int

            init(_ parent: TurnstileView) {
                self.parent = parent
                round = parent.round
            }

            func userContentController(
                _ controller: WKUserContentController, didReceive message: WKScriptMessage
            ) {
                guard message.frameInfo.isMainFrame,
                    Turnstile.isTrustedMessageOrigin(
                        message.frameInfo.request.url, baseURL: parent.widget.baseURL),
                    let message = Turnstile.parseMessage(message.body)
                else { return }
                parent.onMessage(message)
            }

            func webView(
                _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
            ) async -> WKNavigationActionPolicy {
                switch Turnstile.navigationAction(
                    url: navigationAction.request.url, baseURL: parent.widget.baseURL,
                    isTopFrame: navigationAction.targetFrame?.isMainFrame)
                {
                case .allow: return .allow
                case .cancel: return .cancel
                case .openExternally(let url):
                    await UIApplication.shared.open(url)
                    return .cancel
                }
            }

            func webView(
                _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
                for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
            ) -> WKWebView? {
                if case .openExternally(let url) = Turnstile.navigationAction(
                    url: navigationAction.request.url, baseURL: parent.widget.baseURL,
                    isTopFrame: true)
                {
                    UIApplication.shared.open(url)
                }
                return nil
            }
        }
    }

    struct ContactForm: View {
        let frontmail: Frontmail
        @State private var text = ""
        @State private var widget: Turnstile.Widget?
        @State private var token: String?
        @State private var round = 0
        @State private var notice = ""

        var body: some View {
            Form {
                TextField("Your question", text: $text)
                if let widget {
                    TurnstileView(widget: widget, round: round) { message in
                        if case .token(let token) = message {
                            self.token = token
                        } else {
                            token = nil
                        }
                    }
                    .frame(height: Turnstile.Size.flexible.recommendedHeight)
                }
                Button("Send") { Task { await send() } }.disabled(token == nil)
                Text(notice)
            }
            .task {
                do { widget = try await Turnstile.widget(client: frontmail) } catch {
                    notice = error.localizedDescription
                }
            }
        }

        private func send() async {
            // Taken before the first wait: a second tap sends nothing.
            let token = token
            self.token = nil
            do {
                try await frontmail.send(
                    templateID: "tpl_contact", params: ["question": text],
                    options: SendOptions(
                        turnstileToken: token, turnstileKey: widget?.turnstileKey))
                notice = "Thank you."
            } catch {
                notice = error.localizedDescription
            }
            round += 1
        }
    }
#endif
