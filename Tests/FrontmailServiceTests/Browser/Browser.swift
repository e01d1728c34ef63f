import Foundation
import Frontmail
import MartletTestSupport
import Testing

/// A headless Chromium that is told what to do through a pipe (Chrome DevTools Protocol). No port is opened, and no request
/// leaves it: what a page asks for is answered by the test.
actor Browser {
    /// Where it is; `nil` on machines without one.
    static let path = Subprocess.program(
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")

    /// What a page gets for an address: a type and a text; `nil` breaks the request.
    typealias Resource = (type: String, text: String)

    private let process: Subprocess
    private let folder: MartletTestSupport.TemporaryFolder
    private var number = 0
    private var read = 0
    private var session = ""
    private var resources: [(prefix: String, resource: Resource?)] = []
    /// The addresses that the page has asked for.
    private(set) var requested: [String] = []
    /// What went wrong in scripts of the page.
    private(set) var exceptions: [String] = []

    private init(_ process: Subprocess, _ folder: MartletTestSupport.TemporaryFolder) {
        self.process = process
        self.folder = folder
    }

    /// Runs `body` with a page of its own browser.
    static func run(_ body: (Browser) async throws -> Void) async throws {
        let folder = try MartletTestSupport.TemporaryFolder("browser")
        defer { folder.remove() }
        // The pipe's ends have to be 3 and 4.
        let process = try Subprocess(
            "/bin/sh",
            [
                "-c", #"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#, try #require(path),
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--remote-debugging-pipe", "--user-data-dir=" + folder.path,
                "--no-first-run", "--disable-features=IsolateOrigins,site-per-process",
                "--disable-background-networking", "--disable-component-update",
                "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank",
            ])
        let browser = Browser(process, folder)
        do {
            try await browser.open()
            try await body(browser)
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    private func open() async throws {
        let made = try await command("Target.createTarget", ["url": "about:blank"])
        let attached = try await command(
            "Target.attachToTarget", ["targetId": made["targetId"] ?? "", "flatten": true])
        session = attached["sessionId"] as? String ?? ""
        for name in ["Page.enable", "Runtime.enable"] { _ = try await command(name) }
        _ = try await command("Fetch.enable", ["patterns": [["urlPattern": "*"]]])
    }

    private func close() async {
        send("Browser.close", [:], to: "")
        process.closeInput()
        // It ends when it is told so, or when the pipe breaks; the signal is for the day it does not.
        process.send(signal: SIGTERM)
        _ = await process.result()
    }

    /// What addresses that begin so are answered with.
    func answer(_ prefix: String, with resource: Resource?) { resources.append((prefix, resource)) }

    /// Runs JavaScript before each page's own.
    func prepare(_ script: String) async throws {
        _ = try await command("Page.addScriptToEvaluateOnNewDocument", ["source": script])
    }

    /// Opens an address, and returns when the page and what it names are loaded.
    func navigate(to url: String) async throws {
        _ = try await command("Page.navigate", ["url": url])
        while true {
            let state = try await evaluate("location.href + ' ' + document.readyState")
            if state == .string(url + " complete") { return }
        }
    }

    /// The value of a JavaScript expression; a promise is waited for.
    func evaluate(_ expression: String) async throws -> FrontmailValue {
        let answer = try await command(
            "Runtime.evaluate",
            ["expression": expression, "returnByValue": true, "awaitPromise": true])
        if let details = answer["exceptionDetails"] {
            throw BrowserError(text: "\(expression): \(details)")
        }
        guard let value = (answer["result"] as? [String: Any])?["value"] else { return .null }
        let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        return try JSONDecoder().decode(FrontmailValue.self, from: data)
    }

    private func command(_ method: String, _ params: [String: Any] = [:]) async throws -> [String:
        Any]
    {
        let id = send(method, params, to: session)
        while true {
            let message = try await nextMessage()
            if message["id"] as? Int == id {
                if let error = message["error"] { throw BrowserError(text: "\(method): \(error)") }
                return message["result"] as? [String: Any] ?? [:]
            }
            note(message)
        }
    }

    @discardableResult
    private func send(_ method: String, _ params: [String: Any], to session: String) -> Int {
        number += 1
        var message: [String: Any] = ["id": number, "method": method, "params": params]
        if !session.isEmpty { message["sessionId"] = session }
        let data = (try? JSONSerialization.data(withJSONObject: message)) ?? Data()
        process.write([UInt8](data) + [0])
        return number
    }

    /// Events: requests that want an answer, and exceptions.
    private func note(_ message: [String: Any]) {
        let params = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Fetch.requestPaused":
            let url = (params["request"] as? [String: Any])?["url"] as? String ?? ""
            requested.append(url)
            answer(params["requestId"] as? String ?? "", url)
        case "Runtime.exceptionThrown": exceptions.append("\(params)")
        default: break
        }
    }

    private func answer(_ request: String, _ url: String) {
        let match = resources.last { url.hasPrefix($0.prefix) }
        guard let resource = match?.resource else {
            send(
                "Fetch.failRequest", ["requestId": request, "errorReason": "ConnectionRefused"],
                to: session)
            return
        }
        send(
            "Fetch.fulfillRequest",
            [
                "requestId": request, "responseCode": 200,
                "responseHeaders": [["name": "Content-Type", "value": resource.type]],
                "body": Data(resource.text.utf8).base64EncodedString(),
            ], to: session)
    }

    /// Messages are separated by NUL.
    private func nextMessage() async throws -> [String: Any] {
        let start = read
        let text = await process.output { output in
            output.utf8.dropFirst(start).contains(0)
        }
        let rest = text.utf8.dropFirst(start)
        guard let end = rest.firstIndex(of: 0) else {
            throw BrowserError(
                text: "the browser has ended: \(await process.result().errors.suffix(2_000))")
        }
        let octets = Array(rest[..<end])
        read += octets.count + 1
        return try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any] ?? [:]
    }
}

/// What a browser could not do.
struct BrowserError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where there is no Chromium; the test output then says so.
    static var browser: Self { .enabled(if: Browser.path != nil, "chromium is not here") }
}
