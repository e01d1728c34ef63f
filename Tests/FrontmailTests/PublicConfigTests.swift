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
}
