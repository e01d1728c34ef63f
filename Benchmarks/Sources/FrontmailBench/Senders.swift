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
        let templateID = "tpl_bench"
        let userID = "pk_bench"
        let params: [String: String]

        private enum CodingKeys: String, CodingKey {
            case templateID = "template_id"
            case userID = "user_id"
            case params = "template_params"
        }
    }

    func send(_ number: Int) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("pk_bench", forHTTPHeaderField: "X-Frontmail-Public-Key")
        request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(
            Body(params: ["number": String(number), "name": "Ana"]))
        _ = try await session.data(for: request)
    }
}
