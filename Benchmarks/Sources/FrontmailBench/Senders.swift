import Foundation
import Frontmail

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a mail and returns when it is accepted.
protocol Sender: Sendable {
    func send(_ number: Int) async throws
}

/// Through the SDK.
struct SDKSender: Sender {
    let frontmail: Frontmail

    init(_ url: URL) throws { frontmail = try Frontmail(publicKey: "pk_bench", apiURL: url) }

    func send(_ number: Int) async throws {
        try await frontmail.send(
            templateID: "tpl_bench", params: ["number": .int(number), "name": "Ana"])
    }
}

/// By URLSession, as little as it takes.
struct BareSender: Sender {
    let session = URLSession(configuration: .default)
    let url: URL

    init(_ url: URL) { self.url = url.appendingPathComponent("v1/send") }

    private struct Body: Encodable {
        let template_id = "tpl_bench"
        let user_id = "pk_bench"
        let template_params: [String: String]
    }

    func send(_ number: Int) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("pk_bench", forHTTPHeaderField: "X-Frontmail-Public-Key")
        request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(
            Body(template_params: ["number": String(number), "name": "Ana"]))
        _ = try await session.data(for: request)
    }
}
