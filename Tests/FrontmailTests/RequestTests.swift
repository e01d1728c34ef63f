import Foundation
import Frontmail
import Testing

private let key = "3f0c9a52-7d1e-4b7a-9a55-0d6f1c2b3a44"

@Suite("Requests")
struct RequestTests {
    private let service = ScriptedService(.answer(202, [:], ScriptedService.accepted))

    private func onlyRequest() throws -> ScriptedService.Record {
        #expect(service.requests.count == 1)
        return try #require(service.requests.first)
    }

    @Test("V1: a send with nothing but a template")
    func minimal() async throws {
        let client = try service.client()
        try await client.send(
            templateID: "tpl_hello", options: SendOptions(idempotencyKey: key))
        let request = try onlyRequest()
        #expect(request.method == "POST")
        #expect(request.url.absoluteString == service.apiURL.absoluteString + "/v1/send")
        #expect(request.fields["X-Frontmail-Public-Key"] == "pk_test_0001")
        #expect(request.fields["X-Frontmail-Client"] == "frontmail-swift/" + Frontmail.version)
        #expect(request.fields["Idempotency-Key"] == key)
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(request.fields["Accept"] == "application/json")
        #expect(request.fields["Authorization"] == nil)
        #expect(request.fields["Origin"] == nil && request.fields["Referer"] == nil)
        #expect(
            request.json == [
                "template_id": "tpl_hello", "user_id": "pk_test_0001", "template_params": [:],
            ])
    }

    @Test("V2: a send with everything")
    func everything() async throws {
        try await service.client().send(
            templateID: "tpl_all",
            params: [
                "name": "Ana", "count": 3, "vip": true, "note": nil,
                "rows": [["sku": "Z-9", "price": 1.5]],
            ],
            serviceID: "svc_main",
            options: SendOptions(
                turnstileToken: "T1", turnstileKey: .org,
                attachments: [
                    .data(Data("hello".utf8), filename: "a.txt", contentType: "text/plain"),
                    .upload(id: "upl_7"),
                ], locale: "de-AT"))
        #expect(
            try onlyRequest().json == [
                "service_id": "svc_main", "template_id": "tpl_all", "user_id": "pk_test_0001",
                "template_params": [
                    "name": "Ana", "count": 3, "vip": true, "note": nil,
                    "rows": [["sku": "Z-9", "price": 1.5]],
                ],
                "turnstile_token": "T1", "turnstile_key": "org", "locale": "de-AT",
                "attachments": [
                    [
                        "filename": "a.txt", "content_type": "text/plain",
                        "content_base64": "aGVsbG8=",
                    ],
                    ["upload_id": "upl_7"],
                ],
            ])
    }

    @Test("V3: what is empty or absent is left out")
    func absent() async throws {
        try await service.client().send(
            templateID: "t", serviceID: "", options: SendOptions(attachments: [], locale: ""))
        let members = try #require(onlyRequest().json?.objectValue)
        #expect(Set(members.keys) == ["template_id", "user_id", "template_params"])
    }

    @Test(
        "V4: slashes at the end of the address do not matter",
        arguments: ["///", "/", "", "/?a=b#c"])
    func slashes(end: String) async throws {
        let url = try #require(URL(string: service.apiURL.absoluteString + end))
        try await service.client(url: url).send(templateID: "t")
        #expect(
            try onlyRequest().url.absoluteString == service.apiURL.absoluteString + "/v1/send")
    }

    @Test("V4: an address below a path")
    func path() async throws {
        let url = service.apiURL.appendingPathComponent("mail/")
        try await service.client(url: url).send(templateID: "t")
        #expect(try onlyRequest().url.path == "/mail/v1/send")
    }

    private struct Person: Encodable {
        var firstName: String
        var at: Date
        var nickname: String?
        var nested: [String: Date]?
    }

    @Test("V5: values of one's own keep their names; dates are ISO 8601 in whole seconds")
    func encodable() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.5)
        try await service.client().send(
            templateID: "t",
            params: Person(firstName: "Ana", at: date, nickname: nil, nested: ["at": date]))
        #expect(
            try onlyRequest().json?.objectValue?["template_params"] == [
                "firstName": "Ana", "at": "2023-11-14T22:13:20Z",
                "nested": ["at": "2023-11-14T22:13:20Z"],
            ])
    }

    @Test("V6: a literal of equal values goes out the same through either overload")
    func overloads() async throws {
        let client = try service.client()
        let options = SendOptions(idempotencyKey: key)
        try await client.send(templateID: "t", params: ["x": "y"], options: options)
        let concrete: [String: FrontmailValue] = ["x": "y"]
        try await client.send(templateID: "t", params: concrete, options: options)
        #expect(service.requests.count == 2)
        #expect(service.requests[0].body == service.requests[1].body)
        #expect(service.requests[0].json?.objectValue?["template_params"] == ["x": "y"])
    }

    @Test("V6: what does not encode to an object is refused before a request")
    func notAnObject() async throws {
        let client = try service.client()
        let errors = [
            await failure { try await client.send(templateID: "t", params: "text") },
            await failure { try await client.send(templateID: "t", params: [1, 2]) },
            await failure { try await client.send(templateID: "t", params: 1) },
            await failure { try await client.send(templateID: "t", params: ["x": Double.nan]) },
            await failure {
                try await client.send(templateID: "t", params: ["x": .double(.infinity)])
            },
            await failure { try await client.send(templateID: "t", params: FrontmailValue.null) },
        ]
        for error in errors {
            #expect(error?.code == .invalidBody)
            #expect(error?.status == nil)
            #expect(error?.isValidation == true)
        }
        #expect(service.requests.isEmpty)
    }

    @Test("Whole numbers stay whole")
    func wholeNumbers() async throws {
        try await service.client().send(templateID: "t", params: ["n": 2, "s": "x"])
        let text = String(decoding: try onlyRequest().body, as: UTF8.self)
        #expect(text.contains(#""n":2,"#) || text.contains(#""n":2}"#))
    }

    @Test("V7: an ID of a message cannot change the path")
    func status() async throws {
        let service = ScriptedService(.answer(200, [:], #"{"message_id":"m","status":"sent"}"#))
        _ = try await service.client().status(messageID: "msg/1 ?#%", statusToken: "st k&=")
        let request = try #require(service.requests.first)
        #expect(request.method == "GET")
        #expect(
            request.url.absoluteString
                == service.apiURL.absoluteString + "/v1/messages/msg%2F1%20%3F%23%25")
        #expect(request.fields["X-Frontmail-Status-Token"] == "st k&=")
        #expect(request.fields["X-Frontmail-Public-Key"] == "pk_test_0001")
        #expect(request.fields["Idempotency-Key"] == nil)
        #expect(request.body.isEmpty)
    }

    @Test("V7: an ID that is no segment of a path is no message", arguments: ["", ".", ".."])
    func impossibleID(id: String) async throws {
        let client = try service.client()
        let error = await failure { try await client.status(messageID: id, statusToken: "t") }
        #expect(error?.code == .messageNotFound)
        #expect(service.requests.isEmpty)
    }

    @Test("V8: a private key is refused")
    func privateKey() throws {
        let error = #expect(throws: FrontmailError.self) {
            try Frontmail(publicKey: "sk_live_1")
        }
        #expect(error?.code == .privateKeyInBrowser)
        #expect(error?.status == nil)
        #expect(error?.isAuth == true)
        _ = try Frontmail(publicKey: "pk_sk_1")
        _ = try Frontmail(publicKey: "")
    }

    @Test("Each send has a key of its own: a lower-case UUID, also for an empty one")
    func idempotencyKeys() async throws {
        let client = try service.client()
        try await client.send(templateID: "t")
        try await client.send(templateID: "t", options: SendOptions(idempotencyKey: ""))
        let keys = service.requests.compactMap { $0.fields["Idempotency-Key"] }
        #expect(Set(keys).count == 2)
        for key in keys {
            #expect(key == key.lowercased())
            #expect(UUID(uuidString: key) != nil)
        }
    }

    @Test(
        "Values cannot begin another header field",
        arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "a\u{7F}"])
    func injection(value: String) async throws {
        let client = try service.client()
        let key = await failure {
            try await client.send(templateID: "t", options: SendOptions(idempotencyKey: value))
        }
        #expect(key?.code == .invalidIdempotencyKey)
        #expect(key?.isValidation == true)
        let token = await failure { try await client.status(messageID: "m", statusToken: value) }
        #expect(token?.code == .badRequest)
        let other = try service.client(publicKey: value)
        let publicKey = await failure { try await other.send(templateID: "t") }
        #expect(publicKey?.code == .invalidPublicKey)
        #expect(publicKey?.isAuth == true)
        #expect(service.requests.isEmpty)
    }

    @Test(
        "An idempotency key that would not arrive as it is is refused",
        arguments: ["   ", " k", "k ", "kü", "a b", String(repeating: "k", count: 256)])
    func oddKeys(key: String) async throws {
        let client = try service.client()
        let error = await failure {
            try await client.send(templateID: "t", options: SendOptions(idempotencyKey: key))
        }
        #expect(error?.code == .invalidIdempotencyKey)
        #expect(service.requests.isEmpty)
    }

    @Test(
        "Blanks around a key or token would be lost, and are refused", arguments: [" ", " x", "x "])
    func blanks(value: String) async throws {
        let client = try service.client()
        let token = await failure { try await client.status(messageID: "m", statusToken: value) }
        #expect(token?.code == .badRequest)
        let other = try service.client(publicKey: value)
        #expect(await failure { try await other.send(templateID: "t") }?.code == .invalidPublicKey)
        #expect(service.requests.isEmpty)
    }

    private struct Odd: Encodable {
        var bytes = Data("hello".utf8)
        struct Broken: Error {}
        var breaks = false
        enum CodingKeys: String, CodingKey { case bytes }
        func encode(to encoder: any Encoder) throws {
            if breaks { throw Broken() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(bytes, forKey: .bytes)
        }
    }

    @Test("Octets go out as base64; a value that cannot be encoded is refused")
    func oddEncodable() async throws {
        let client = try service.client()
        try await client.send(
            templateID: "t", params: Odd(), options: SendOptions(turnstileKey: .frontmail))
        #expect(try onlyRequest().json?.objectValue?["template_params"] == ["bytes": "aGVsbG8="])
        #expect(try onlyRequest().json?.objectValue?["turnstile_key"] == "frontmail")
        let error = await failure {
            try await client.send(templateID: "t", params: Odd(breaks: true))
        }
        #expect(error?.code == .invalidBody)
        #expect(service.requests.count == 1)
    }

    @Test("Why parameters cannot be encoded is told without their values")
    func reasons() async throws {
        let client = try service.client()
        var deep: FrontmailValue = "hunter2"
        for _ in 0..<600 { deep = [deep] }
        let nested = await failure {
            try await client.send(templateID: "t", params: ["secret": deep])
        }
        #expect(nested?.code == .invalidBody)
        #expect((nested?.message.utf8.count ?? 0) < 500)
        #expect("\(nested as Any)".contains("hunter2") == false)
        let number = await failure {
            try await client.send(
                templateID: "t", params: ["a": ["b": .double(.nan), "c": "hunter2"]])
        }
        #expect(number?.message.contains("a.b is nan") == true)
        #expect("\(number as Any)".contains("hunter2") == false)
        #expect(service.requests.isEmpty)
    }

    @Test("A client that is told nothing has the documented values")
    func defaults() throws {
        let client = try Frontmail(publicKey: "pk_1")
        #expect(client.apiURL.absoluteString == "https://api.frontmail.dev")
        #expect(client.timeout == 15)
        #expect(client.retry == RetryPolicy(maxRetries: 3, baseDelay: 0.3, maxDelay: 10))
        for timeout in [0, -1, TimeInterval.nan] {
            #expect(try Frontmail(publicKey: "pk_1", timeout: timeout).timeout == 15)
        }
        #expect(try Frontmail(publicKey: "pk_1", timeout: .infinity).timeout == .infinity)
    }

    @Test("The scheme of an address may be in capitals")
    func capitals() async throws {
        let text = service.apiURL.absoluteString.replacingOccurrences(of: "https", with: "HTTPS")
        let url = try #require(URL(string: text))
        let client = try service.client(url: url.appendingPathComponent("Base"))
        try await client.send(templateID: "t")
        #expect(
            try onlyRequest().url.absoluteString
                == service.apiURL.absoluteString + "/Base/v1/send")
    }

    @Test(
        "An address that is none is an error at once",
        arguments: ["file:///etc/passwd", "ftp://a.test", "x"])
    func noAddress(text: String) async throws {
        let client = try Frontmail(publicKey: "pk_1", apiURL: try #require(URL(string: text)))
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.code == .networkError)
        #expect(error?.message.contains("https://") == true)
    }
}
