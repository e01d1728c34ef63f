import Foundation
import Frontmail
import Testing

private let configured =
    #"{"turnstile":{"mobileSiteKey":"0xAAA","mobileBaseUrl":"https://mobile.example.test"}}"#

@Suite("Public configuration")
struct PublicConfigTests {
    @Test("C1: two who ask at once share a request, however the address is spelled")
    func shared() async throws {
        let service = ScriptedService(.answer(200, [:], configured))
        let other = try #require(URL(string: service.apiURL.absoluteString + "/"))
        let clients = [try service.client(), try service.client(url: other)]
        async let first = Turnstile.widget(client: clients[0])
        async let second = Turnstile.widget(client: clients[1])
        let widgets = try await [first, second]
        for widget in widgets {
            #expect(widget.siteKey == "0xAAA")
            #expect(widget.baseURL.absoluteString == "https://mobile.example.test")
            #expect(widget.turnstileKey == .frontmail)
        }
        _ = try await clients[0].publicConfig()
        #expect(service.requests.count == 1)
        #expect(
            service.requests[0].url.absoluteString == service.apiURL.absoluteString
                + "/v1/public-config")
        #expect(service.requests[0].fields["X-Frontmail-Public-Key"] == nil)
        #expect(service.requests[0].fields["X-Frontmail-Client"] != nil)
    }

    @Test("C2: another address has its own request")
    func another() async throws {
        let services = (0..<2).map { _ in ScriptedService(.answer(200, [:], configured)) }
        for service in services { _ = try await service.client().publicConfig() }
        #expect(services.map(\.requests.count) == [1, 1])
    }

    @Test("C3: a failure is not kept")
    func failureIsForgotten() async throws {
        let service = ScriptedService(
            .answer(503, [:], #"{"error":{"code":"service_unavailable"}}"#),
            .answer(200, [:], configured))
        let client = try service.client(retry: .disabled)
        let error = await failure { try await Turnstile.widget(client: client) }
        #expect(error?.code == .serviceUnavailable)
        #expect(try await Turnstile.widget(client: client).siteKey == "0xAAA")
        #expect(service.requests.count == 2)
    }

    @Test("C4: an answer without the object is invalid, and not kept")
    func invalid() async throws {
        let service = ScriptedService(.answer(200, [:], "{}"), .answer(200, [:], configured))
        let client = try service.client()
        #expect(await failure { try await client.publicConfig() }?.code == .invalidResponse)
        #expect(try await client.publicConfig().turnstile.mobileSiteKey == "0xAAA")
    }

    @Test(
        "C5: without keys there is no shared widget",
        arguments: [
            #"{"turnstile":{"mobileSiteKey":null,"mobileBaseUrl":"https://m.example.test"}}"#,
            #"{"turnstile":{"mobileSiteKey":"","mobileBaseUrl":"https://m.example.test"}}"#,
            #"{"turnstile":{"mobileSiteKey":"k"}}"#, #"{"turnstile":{}}"#,
            #"{"turnstile":{"mobileSiteKey":"k","mobileBaseUrl":"javascript:alert(1)"}}"#,
            #"{"turnstile":{"mobileSiteKey":"k","mobileBaseUrl":"file:///etc/passwd"}}"#,
            #"{"turnstile":{"mobileSiteKey":"k","mobileBaseUrl":"mobile.example.test"}}"#,
            #"{"turnstile":{"mobileSiteKey":"k","mobileBaseUrl":"http://mobile.example.test"}}"#,
            #"{"turnstile":{"mobileSiteKey":5,"mobileBaseUrl":"https://m.example.test"}}"#,
        ])
    func notConfigured(body: String) async throws {
        let client = try ScriptedService(.answer(200, [:], body)).client()
        let error = await failure { try await Turnstile.widget(client: client) }
        #expect(error?.code == .captchaFailed)
        #expect(error?.status == nil)
        #expect(error?.details == ["reason": "not_configured"])
    }

    @Test("C6: a widget with one's own key asks nobody")
    func custom() throws {
        let url = try #require(URL(string: "https://app.example.test"))
        let widget = Turnstile.Widget.custom(siteKey: "k", baseURL: url)
        #expect(widget.siteKey == "k" && widget.baseURL == url && widget.turnstileKey == .org)
    }

    @Test("One who gives up does not disturb the others")
    func givingUp() async throws {
        let service = ScriptedService(.hang, .answer(200, [:], configured))
        let client = try service.client(timeout: 0.5)
        let impatient = Task { await failure { try await client.publicConfig() } }
        await service.waitForRequests(1)
        let patient = Task { try await client.publicConfig() }
        impatient.cancel()
        #expect(await impatient.value?.code == .aborted)
        #expect(try await patient.value.turnstile.mobileSiteKey == "0xAAA")
        #expect(service.requests.count == 2)
    }

    @Test("After all have given up, a failure is not kept either")
    func allGivingUp() async throws {
        let service = ScriptedService(.hang, .answer(200, [:], configured))
        let client = try service.client(retry: .disabled, timeout: 0.2)
        let impatient = Task { await failure { try await client.publicConfig() } }
        await service.waitForRequests(1)
        impatient.cancel()
        #expect(await impatient.value?.code == .aborted)
        // The request fails at some time; who asks before shares its fate, who asks after asks anew.
        while true {
            do {
                #expect(try await client.publicConfig().turnstile.mobileSiteKey == "0xAAA")
                break
            } catch let error as FrontmailError {
                #expect(error.code == .timeout)
            }
        }
        #expect(service.requests.count == 2)
    }

    @Test("One of two who ask at the same moment may give up at any, and the other has an answer")
    func givingUpAnywhere() async throws {
        for round in 0..<600 {
            let service = ScriptedService(.answer(200, [:], configured))
            let client = try service.client(retry: .disabled)
            let impatient = Task { await failure { try await client.publicConfig() } }
            let patient = Task { try await client.publicConfig() }
            let cancelling = Task {
                for _ in 0..<round % 12 { await Task.yield() }
                impatient.cancel()
            }
            #expect(try await patient.value.turnstile.mobileSiteKey == "0xAAA")
            let error = await impatient.value
            #expect(error == nil || error?.code == .aborted)
            await cancelling.value
        }
    }
}

@Suite("Shared request")
struct SharedRequestTests {
    /// A request that ends when the test says so, or is cancelled.
    private func request() -> (SharedRequest<Int>, AsyncStream<Int>.Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let request = SharedRequest<Int> {
            for await value in stream { return value }
            throw CancellationError()
        }
        return (request, continuation)
    }

    private func giveUp(_ place: Int, _ request: SharedRequest<Int>) async {
        let task = Task { try await request.value(at: place) }
        task.cancel()
        #expect(await failure { try await task.value }?.code == .aborted)
    }

    @Test("who has a place is not left with what all others gave up")
    func place() async throws {
        let (request, end) = request()
        let second = try #require(request.join())
        await giveUp(SharedRequest<Int>.firstPlace, request)
        let third = try #require(request.join())
        await giveUp(third, request)
        end.yield(7)
        #expect(try await request.value(at: second) == 7)
    }

    @Test("gives no place once all have given up")
    func allGaveUp() async throws {
        let (request, _) = request()
        let second = try #require(request.join())
        await giveUp(second, request)
        await giveUp(SharedRequest<Int>.firstPlace, request)
        #expect(request.join() == nil)
    }

    @Test("gives places while its value is there, and none when it failed")
    func ended() async throws {
        let (good, end) = request()
        end.yield(7)
        #expect(try await good.value(at: SharedRequest<Int>.firstPlace) == 7)
        #expect(try await good.value(at: #require(good.join())) == 7)
        let (bad, broken) = request()
        broken.finish()
        await #expect(throws: CancellationError.self) {
            try await bad.value(at: SharedRequest<Int>.firstPlace)
        }
        #expect(bad.join() == nil)
    }
}
