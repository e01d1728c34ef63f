import Foundation
import Frontmail
import Testing

@Suite("Responses")
struct ResponseTests {
    private func send(_ service: ScriptedService) async throws -> SendResult {
        try await service.client().send(templateID: "t")
    }

    private func failureOfSend(_ service: ScriptedService) async -> FrontmailError? {
        await failure { try await send(service) }
    }

    @Test("R1: accepted, with a language")
    func accepted() async throws {
        let service = ScriptedService(
            .answer(
                202, [:],
                #"{"message_id":"msg_a","status":"queued","status_token":"s1","locale":"de"}"#))
        #expect(
            try await send(service)
                == SendResult(messageID: "msg_a", status: .queued, statusToken: "s1", locale: "de"))
    }

    @Test("R2: held, with a member that nobody knows")
    func held() async throws {
        let service = ScriptedService(
            .answer(
                202, [:], #"{"message_id":"msg_a","status":"held","status_token":"s1","x":[1]}"#))
        #expect(
            try await send(service)
                == SendResult(messageID: "msg_a", status: .held, statusToken: "s1", locale: nil))
    }

    @Test("A status that nobody knows is kept", arguments: ["paused", ""])
    func unknownStatus(word: String) async throws {
        let service = ScriptedService(
            .answer(202, [:], #"{"message_id":"m","status":"\#(word)","status_token":"s"}"#))
        #expect(try await send(service).status == .unknown(word))
    }

    @Test(
        "R3: 2xx with another body is invalid, and not asked for again",
        arguments: [
            (202, #"{"ok":true}"#), (202, ""), (202, "[]"), (200, "<html>"), (202, "null"),
            (202, #"{"message_id":"","status":"queued","status_token":"s"}"#),
            (202, #"{"message_id":7,"status":"queued","status_token":"s"}"#),
            (202, #"{"message_id":"m","status":"queued"}"#),
            (202, "{\"message_id\":\"m\",\"status_token\":\"s\""),
            (202, String(repeating: "[", count: 100_000)),
        ])
    func invalid(status: Int, body: String) async {
        let service = ScriptedService(.answer(status, [:], body))
        let error = await failureOfSend(service)
        #expect(error?.code == .invalidResponse)
        #expect(error?.status == nil)
        #expect(service.requests.count == 1)
    }

    @Test("Octets that are no UTF-8 are an invalid answer, or an error without a reason")
    func invalidUTF8() async {
        let octets = Data(#"{"message_id":"m"#.utf8) + [0xFF, 0xC3] + Data(#""}"#.utf8)
        #expect(
            await failureOfSend(ScriptedService(.octets(202, octets)))?.code == .invalidResponse)
        let error = await failureOfSend(ScriptedService(.octets(404, octets)))
        #expect(error?.code == .badRequest)
        #expect(error?.status == 404)
    }

    @Test(
        "Odd members beside those that are needed do no harm",
        arguments: ["1e400", "-1e999", "{}", "[1,[2]]"])
    func oddMembers(value: String) async throws {
        let body =
            #"{"x":\#(value),"message_id":"m","status":"queued","status_token":"s","locale":5}"#
        let result = try await send(ScriptedService(.answer(202, [:], body)))
        #expect(result == SendResult(messageID: "m", status: .queued, statusToken: "s"))
        let error = #"{"error":{"code":"invalid_body","message":"m","details":{"n":\#(value)}}}"#
        let refusal = await failureOfSend(ScriptedService(.answer(422, [:], error)))
        #expect(refusal?.code == .invalidBody)
    }

    @Test("Answers that are nested deep are not read", arguments: [33, 500, 100_000])
    func deep(depth: Int) async throws {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let body = #"{"message_id":"m","status":"queued","status_token":"s","x":\#(nested)}"#
        let invalid = await failureOfSend(ScriptedService(.answer(202, [:], body)))
        #expect(invalid?.code == .invalidResponse)
        let refusal = #"{"error":{"code":"forbidden","details":\#(nested)}}"#
        let error = await failureOfSend(ScriptedService(.answer(403, [:], refusal)))
        #expect(error?.code == .badRequest)
    }

    @Test("Brackets in texts are no nesting")
    func brackets() async throws {
        let text = String(repeating: "[{", count: 100)
        let body = #"{"message_id":"\\\"\#(text)","status":"queued","status_token":"s"}"#
        let result = try await send(ScriptedService(.answer(202, [:], body)))
        #expect(result.messageID == "\\\"" + text)
    }

    @Test("A large answer of small values is read in no time")
    func manyValues() async throws {
        let event = #"{"type":"t","at":"2026-11-30T12:00:00Z","x":[[[[{}]]]]}"#
        let events = Array(repeating: event, count: 8_000).joined(separator: ",")
        let body = #"{"message_id":"m","status":"sent","events":[\#(events)]}"#
        let client = try ScriptedService(.answer(200, [:], body)).client()
        let start = Date()
        let status = try await client.status(messageID: "m", statusToken: "s")
        #expect(status.events.count == 8_000)
        #expect(Date().timeIntervalSince(start) < 10)
    }

    @Test(
        "A large answer of what is slowest to read does not take long",
        arguments: ["9", "0.5", "{}", "[]", "true", "1e999", #""\ud800""#, "[[[[[[[[1e999]]]]]]]]"])
    func slowValues(value: String) async throws {
        let values = Array(repeating: value, count: 200_000 / (value.utf8.count + 1))
        let body =
            #"{"message_id":"m","status":"sent","events":[{"type":"t","x":[\#(values.joined(separator: ","))]}]}"#
        let client = try ScriptedService(.answer(200, [:], body)).client()
        let start = Date()
        #expect(try await client.status(messageID: "m", statusToken: "s").events.count == 1)
        #expect(Date().timeIntervalSince(start) < 10)
    }

    @Test(
        "What cannot be read is left out by itself, wherever it is",
        arguments: ["1e999", "-1e999", #""\ud800""#, #""a\udc00""#])
    func unreadable(value: String) async throws {
        let body =
            #"{"message_id":"m","status":"sent","z":\#(value),"events":["#
            + #"{"type":"a","x":\#(value),"y":[1,\#(value),2]},\#(value),{"type":\#(value)},{"type":"b"}]}"#
        let client = try ScriptedService(.answer(200, [:], body)).client()
        let status = try await client.status(messageID: "m", statusToken: "s")
        #expect(
            status.events == [
                MessageEvent(type: "a", data: ["y": [1, 2]]), MessageEvent(type: "b"),
            ])
        let refusal =
            #"{"z":\#(value),"error":{"code":"c","z":\#(value),"details":{"x":\#(value),"y":[\#(value),3]}}}"#
        let error = await failureOfSend(ScriptedService(.answer(422, [:], refusal)))
        #expect(error?.details == ["y": [3]])
    }

    private static let otherEncodings: [String.Encoding] = [
        .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ]

    @Test("JSON in another encoding than UTF-8 is no answer", arguments: otherEncodings)
    func otherEncoding(encoding: String.Encoding) async throws {
        // U+2200 holds the octet of a quotation mark: whoever looks at octets takes what follows for text.
        let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        for text in [
            ScriptedService.accepted,
            #"{"message_id":"m","status":"sent","status_token":"s","z":"\u{2200}","events":\#(nested)}"#,
        ] {
            let body = try #require(text.data(using: encoding))
            let service = ScriptedService(.octets(202, body))
            #expect(await failureOfSend(service)?.code == .invalidResponse)
            let client = try ScriptedService(.octets(200, body)).client()
            let error = await failure { try await client.status(messageID: "m", statusToken: "s") }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test("Details keep the kinds of their values")
    func kinds() async {
        let details = #"[true,false,1,0,-5,2.5,9007199254740993,"1",null,{"a":[]}]"#
        let body = #"{"error":{"code":"c","details":\#(details)}}"#
        let error = await failureOfSend(ScriptedService(.answer(422, [:], body)))
        let expected: [FrontmailValue] = [
            true, false, 1, 0, -5, 2.5, .int(9_007_199_254_740_993), "1", nil, ["a": []],
        ]
        #expect(error?.details == .array(expected))
    }

    @Test("R4: a refusal with a code")
    func refusal() async {
        let service = ScriptedService(
            .answer(403, [:], #"{"error":{"code":"origin_not_allowed","message":"no"}}"#))
        let error = await failureOfSend(service)
        #expect(error?.code == .originNotAllowed)
        #expect(error?.message == "no")
        #expect(error?.status == 403)
        #expect(error?.isAuth == true)
        #expect(
            error?.docsURL.absoluteString
                == "https://docs.frontmail.dev/reference/errors/#origin-not-allowed")
        #expect(error?.details == nil && error?.retryAfter == nil)
        #expect(service.requests.count == 1)
    }

    @Test("R5: details and the page about it are kept")
    func details() async {
        let service = ScriptedService(
            .answer(
                422, [:],
                #"{"error":{"code":"invalid_template_params","message":"m","docs_url":"https://d.example.test/x","details":{"issues":[{"path":"email"}]}}}"#
            ))
        let error = await failureOfSend(service)
        #expect(error?.code == .invalidTemplateParams)
        #expect(error?.isValidation == true)
        #expect(error?.docsURL.absoluteString == "https://d.example.test/x")
        #expect(error?.details == ["issues": [["path": "email"]]])
    }

    @Test("R6: a code that nobody knows comes through")
    func unknownCode() async {
        let service = ScriptedService(.answer(418, [:], #"{"error":{"code":"teapot_new"}}"#))
        let error = await failureOfSend(service)
        #expect(error?.code == FrontmailError.Code(rawValue: "teapot_new"))
        #expect(error?.status == 418)
        #expect(error.map(categories) == [])
    }

    @Test("R7: errors of a gateway are internal errors, after all attempts")
    func gateway() async {
        let service = ScriptedService(.answer(504, [:], "<html>"))
        let error = await failureOfSend(service)
        #expect(error?.code == .internalError)
        #expect(error?.status == 504)
        #expect(service.requests.count == 4)
    }

    @Test("R8: 404 without a body")
    func notFound() async {
        let error = await failureOfSend(ScriptedService(.answer(404)))
        #expect(error?.code == .badRequest)
        #expect(error?.status == 404)
        #expect(error.map(categories) == [])
    }

    @Test("R9: 429 that asks for two minutes is an error at once")
    func rateLimit() async {
        let service = ScriptedService(.answer(429, ["Retry-After": "120"]))
        let error = await failureOfSend(service)
        #expect(error?.code == .badRequest)
        #expect(error?.isRateLimit == true)
        #expect(error?.retryAfter == 120)
        #expect(service.requests.count == 1)
    }

    @Test(
        "Errors of odd shapes have the code of their status",
        arguments: [
            "", "null", "[]", #"{"error":"no"}"#, #"{"error":null}"#, #"{"error":{}}"#,
            #"{"error":{"code":5,"message":{}}}"#, #"{"error":{"code":""}}"#, #"{"code":"x"}"#,
        ])
    func oddErrors(body: String) async {
        let service = ScriptedService(.answer(400, [:], body))
        let error = await failureOfSend(service)
        #expect(error?.code == .badRequest)
        #expect(error?.message.isEmpty == false)
        #expect(error?.status == 400)
    }

    @Test(
        "A page about an error is a web page",
        arguments: ["javascript:alert(1)", "file:///x", "", "x y"])
    func oddPages(text: String) async {
        let service = ScriptedService(
            .answer(400, [:], #"{"error":{"code":"a_b","docs_url":"\#(text)"}}"#))
        #expect(
            await failureOfSend(service)?.docsURL.absoluteString
                == "https://docs.frontmail.dev/reference/errors/#a-b")
    }

    @Test("An answer over the limit is given up")
    func tooLong() async {
        let long = String(repeating: "x", count: 600 * 1024)
        let body = #"{"message_id":"m","status":"queued","status_token":"s","x":"\#(long)"}"#
        let error = await failureOfSend(ScriptedService(.answer(202, [:], body)))
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("KiB") == true)
        let refusal = await failureOfSend(ScriptedService(.answer(403, [:], body)))
        #expect(refusal?.code == .badRequest)
        #expect(refusal?.status == 403)
    }

    @Test("A status is read, with events and times")
    func status() async throws {
        let service = ScriptedService(
            .answer(
                200, [:],
                #"""
                {"message_id":"m","status":"held_service_error","created_at":"2026-11-30T12:00:00.250Z",
                 "sent_at":"2026-11-30T13:00:01+01:00","template_id":"t","service_id":"v","later":1,
                 "events":[{"type":"accepted","at":"2026-11-30T12:00:00Z","ip":"::1"},{"type":"new_one"},
                           {"type":"odd","at":"soon"},{"at":"x"},7]}
                """#))
        let status = try await service.client().status(messageID: "m", statusToken: "s")
        let noon = Date(timeIntervalSince1970: 1_796_040_000)
        #expect(status.status == .heldServiceError)
        #expect(status.createdAt == noon.addingTimeInterval(0.25))
        #expect(status.sentAt == noon.addingTimeInterval(1))
        #expect(status.templateID == "t" && status.serviceID == "v")
        #expect(
            status.events == [
                MessageEvent(type: "accepted", at: noon, data: ["ip": "::1"]),
                MessageEvent(type: "new_one"),
                MessageEvent(type: "odd", data: ["at": "soon"]),
            ])
    }

    @Test(
        "A status without an ID or a word is invalid",
        arguments: ["{}", #"{"message_id":"m"}"#, "[]"])
    func invalidStatus(body: String) async throws {
        let client = try ScriptedService(.answer(200, [:], body)).client()
        let error = await failure { try await client.status(messageID: "m", statusToken: "s") }
        #expect(error?.code == .invalidResponse)
    }
}
