import Foundation
import MartletTestSupport
import Testing

/// `martlet frontmail`, run as people run it.
@Suite("martlet frontmail", .timeLimit(.minutes(3)))
struct CommandTests {
    private let martlet = BuiltProgram("martlet", unless: "MARTLET_EXECUTABLE")

    private func send(
        _ service: StandInService, _ words: [String] = [], key: String = "pk_1"
    ) async throws -> Subprocess.Result {
        try await martlet.run(
            [
                "frontmail", "send", "--url", service.url.absoluteString, "--key", key,
                "--template", "tpl_a",
            ]
                + words)
    }

    @Test("sends what it is told, and prints what is needed to ask for it")
    func sends() async throws {
        let folder = try MartletTestSupport.TemporaryFolder("frontmail")
        defer { folder.remove() }
        let file = folder.path + "/Übersicht.pdf"
        try Data("%PDF".utf8).write(to: URL(fileURLWithPath: file))
        try await StandInService.run { service in
            let result = try await send(
                service,
                [
                    "--param", "name=Ana=B", "--param", "empty=", "--param-json",
                    "rows=[1,{\"a\":null}]",
                    "--param-json", "n=2", "--service", "svc_1", "--locale", "pt-BR",
                    "--idempotency-key", "k1",
                    "--turnstile-token", "T", "--turnstile-key", "org", "--attach", file,
                    "--upload", "upl_1",
                ])
            #expect(result.status == 0)
            #expect(result.output == "message: msg_1\nstatus: queued\nstatus token: st_msg_1\n")
            #expect(result.errors == "")
            let record = try #require(service.records.first)
            #expect(record.fields["idempotency-key"] == "k1")
            let expected: [String: Any] = [
                "template_id": "tpl_a", "user_id": "pk_1", "service_id": "svc_1", "locale": "pt-BR",
                "turnstile_token": "T", "turnstile_key": "org",
                "template_params": [
                    "name": "Ana=B", "empty": "", "rows": [1, ["a": NSNull()]], "n": 2,
                ],
                "attachments": [
                    [
                        "filename": "Übersicht.pdf", "content_type": "application/pdf",
                        "content_base64": "JVBERg==",
                    ],
                    ["upload_id": "upl_1"],
                ],
            ]
            #expect(NSDictionary(dictionary: record.json) == NSDictionary(dictionary: expected))
        }
    }

    @Test("prints JSON for programs")
    func json() async throws {
        try await StandInService.run([
            .accept, .accept,
            .answer(
                422, [:],
                #"{"error":{"code":"invalid_template_params","message":"no","details":{"n":1.5}}}"#),
        ]) { service in
            let sent = try await send(service, ["--json"])
            #expect(
                sent.output
                    == #"{"ok":true,"messageID":"msg_1","status":"queued","statusToken":"st_msg_1","locale":null}"#
                    + "\n")
            let asked = try await martlet.run(
                [
                    "frontmail", "status", "--url", service.url.absoluteString, "--key", "pk_1",
                    "--json",
                    "--status-token", "-", "msg_1",
                ], input: "st_msg_1\n")
            #expect(asked.status == 0)
            #expect(
                asked.output
                    == #"{"ok":true,"messageID":"msg_1","status":"sent","createdAt":"2026-11-30T12:00:00Z","#
                    + #""sentAt":null,"templateID":null,"serviceID":null,"events":[{"type":"accepted","#
                    + #""at":"2026-11-30T12:00:00Z","data":{}},{"type":"sent","at":null,"data":{}}]}"#
                    + "\n")
            #expect(service.records.last?.fields["x-frontmail-status-token"] == "st_msg_1")
            let refused = try await send(service, ["--json"])
            #expect(refused.status == 65)
            #expect(
                refused.output
                    == #"{"ok":false,"exitStatus":65,"error":{"code":"invalid_template_params","message":"no","#
                    + #""status":422,"docsURL":"https://docs.frontmail.dev/reference/errors/#invalid-template-params","#
                    + #""details":{"n":1.5},"retryAfter":null}}"# + "\n")
        }
    }

    @Test("prints JSON also for what fails before the service is asked")
    func earlyFailures() async throws {
        try await StandInService.run { service in
            let key = try await send(service, ["--json"], key: "sk_live")
            #expect(key.status == 77)
            #expect(
                key.output.hasPrefix(
                    #"{"ok":false,"exitStatus":77,"error":{"code":"private_key_in_browser","message":"#
                ))
            #expect(!key.output.contains("sk_live") && key.errors.hasPrefix("martlet: "))
            let file = try await send(service, ["--json", "--attach", "/no/such/file"])
            #expect(file.status == 66)
            #expect(
                file.output.hasPrefix(
                    #"{"ok":false,"exitStatus":66,"error":{"code":"file","message":"#))
            #expect(
                file.output.hasSuffix(
                    #","status":null,"docsURL":null,"details":null,"retryAfter":null}}"# + "\n"))
            let usage = try await send(service, ["--json", "--param", "x"])
            #expect(usage.status == 64)
            #expect(
                usage.output.hasPrefix(#"{"ok":false,"exitStatus":64,"error":{"code":"usage","#))
            #expect(usage.errors.contains("martlet frontmail send --help"))
            #expect(service.requestCount == 0)
        }
    }

    @Test("does not repeat the value of a parameter, nor all of a long word")
    func noEcho() async throws {
        try await StandInService.run { service in
            let value = String(repeating: "hunter2 ", count: 1_000)
            let long = String(repeating: "n", count: 1_000)
            for words in [
                ["--param-json", "a=\(value)"], ["--param-json", "a=[\"\(value)\",1e400]"],
                ["--param-json", "a=[\"\(value)\",12345678901234567890]"],
                ["--param", long], ["--param", "\(long)=hunter2", "--param", "\(long)=hunter2"],
            ] {
                let result = try await send(service, words)
                #expect(result.status == 64)
                #expect(!result.errors.contains("hunter2") && result.errors.utf8.count < 400)
            }
            #expect(service.requestCount == 0)
        }
    }

    private static let tokens: [([UInt8], Int32)] = [
        (Array("st_1\n".utf8), 0), (Array("st_1\r\nmore\n".utf8), 0), (Array("st_1".utf8), 0),
        ([], 64), (Array("\n".utf8), 64),
        ([0x73, 0xFF, 0x0A], 66), (Array(repeating: 0x73, count: 64 * 1024 + 1) + [0x0A], 66),
    ]

    @Test("reads a status token from standard input, within a limit", arguments: tokens)
    func statusToken(input: [UInt8], expected: Int32) async throws {
        try await StandInService.run { service in
            let process = try Subprocess(
                martlet.path,
                [
                    "frontmail", "status", "--url", service.url.absoluteString, "--key", "pk_1",
                    "--json", "--status-token", "-", "msg_1",
                ], environment: BuiltProgram.complete([:]))
            process.write(input)
            process.closeInput()
            let result = await process.result()
            #expect(result.status == expected)
            #expect(result.output.contains(#""ok":\#(expected == 0)"#))
            #expect(
                service.records.map { $0.fields["x-frontmail-status-token"] }
                    == (expected == 0 ? ["st_1"] : []))
        }
    }

    @Test("tells the status in a line, and the events below it")
    func status() async throws {
        try await StandInService.run { service in
            let result = try await martlet.run([
                "frontmail", "status", "--url", service.url.absoluteString, "--key", "pk_1",
                "--status-token", "s",
                "msg_7",
            ])
            #expect(result.output == "msg_7: sent\n  2026-11-30T12:00:00Z  accepted\n  -  sent\n")
        }
    }

    /// An answer of the service, and the number that the command ends with.
    private static let answers: [(Int, String, Int32)] = [
        (401, "invalid_public_key", 77), (403, "origin_not_allowed", 77),
        (403, "captcha_failed", 77),
        (400, "invalid_body", 65), (422, "template_render_failed", 65),
        (404, "template_not_found", 65),
        (402, "insufficient_credits", 69), (403, "organization_suspended", 69),
        (429, "rate_limited", 75),
        (503, "service_unavailable", 75), (451, "recipient_suppressed", 67),
        (403, "recipient_blocked", 67),
        (302, "", 76),
    ]

    @Test("ends with a number that says why", arguments: answers)
    func endings(status: Int, code: String, expected: Int32) async throws {
        let body = #"{"error":{"code":"\#(code)","message":"\u001b[31mNo."}}"#
        try await StandInService.run([.answer(status, [:], body)]) { service in
            let result = try await send(service, ["--retries", "0"])
            #expect(result.status == expected)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("martlet: "))
            #expect(!result.errors.contains("\u{1B}"))
        }
    }

    @Test(
        "refuses what cannot be followed",
        arguments: [
            ["--param", "name"], ["--param", "=x"], ["--param", "a=1", "--param-json", "a=2"],
            ["--param-json", "a=text"], ["--param-json", "a=[12345678901234567890]"],
            ["--url", "ftp://a.test"], ["--url", "http://"],
            ["--turnstile-key", "mine"],
            ["--retries", "-1"], ["--timeout", "0"],
        ])
    func usage(words: [String]) async throws {
        let result = try await martlet.run(
            [
                "frontmail", "send", "--key", "pk_1", "--template", "t", "--url",
                "http://127.0.0.1:1",
            ] + words)
        #expect(result.status == 64)
        #expect(result.errors.contains("martlet frontmail send --help"))
    }

    @Test("refuses a private key, a missing file, and nobody who listens")
    func failures() async throws {
        try await StandInService.run { service in
            let key = try await send(service, key: "sk_live")
            #expect(key.status == 77)
            #expect(!key.errors.contains("sk_live"))
            #expect(try await send(service, ["--attach", "/no/such/file"]).status == 66)
            #expect(service.requestCount == 0)
        }
        let port = try FreePorts.first(of: 1)
        let result = try await martlet.run([
            "frontmail", "send", "--url", "http://127.0.0.1:\(port)", "--key", "pk_1", "--template",
            "t", "--retries",
            "0",
        ])
        #expect(result.status == 75)
    }

    @Test("ends by Ctrl-C at once")
    func interrupted() async throws {
        try await StandInService.run([.hang]) { service in
            let process = try Subprocess(
                martlet.path,
                [
                    "frontmail", "send", "--url", service.url.absoluteString, "--key", "pk_1",
                    "--template", "t",
                ],
                environment: BuiltProgram.complete([:]))
            process.closeInput()
            try await waitUntil { service.requestCount == 1 }
            process.send(signal: SIGINT)
            let result = await process.result()
            #expect(result.status == 130)
            #expect(result.errors.contains("interrupted"))
        }
    }

    @Test("says what is missing where its program is not beside it")
    func missingProgram() async throws {
        let folder = try MartletTestSupport.TemporaryFolder("alone")
        defer { folder.remove() }
        let alone = folder.path + "/martlet"
        // By another process: a file that is open for writing here, or in a program just started, cannot be run.
        _ = try await Subprocess.run("/bin/cp", [martlet.path, alone])
        let result = try await Subprocess.run(
            alone, ["frontmail", "send", "--key", "pk_1", "--template", "t"],
            environment: BuiltProgram.complete([:]))
        #expect(result.status == 69)
        #expect(result.errors.contains("\(folder.path)/martlet-frontmail cannot be run"))
    }

    @Test("is also a program of its own")
    func ownProgram() async throws {
        let result = try await BuiltProgram("martlet-frontmail").run(["send", "--help"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Usage: martlet frontmail send"))
    }
}
