import Foundation
import Frontmail

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A service without a network: a session's requests are answered by a script, step by step, and recorded.
final class ScriptedService: @unchecked Sendable {
    /// What happens to a request.
    enum Step: Sendable {
        case answer(Int, [String: String] = [:], String = "")
        case octets(Int, Data)
        case fail(URLError.Code)
        case hang
    }

    /// A request as it came.
    struct Record: Sendable {
        let method: String
        let url: URL
        let fields: [String: String]
        let body: Data

        /// The body as a JSON value.
        var json: FrontmailValue? { try? JSONDecoder().decode(FrontmailValue.self, from: body) }
    }

    /// What is done when a step says nothing more.
    static let accepted = #"{"message_id":"msg_a","status":"queued","status_token":"s1"}"#

    private static let lock = NSLock()
    // Guarded by the lock, as all properties are.
    nonisolated(unsafe) private static var services: [String: ScriptedService] = [:]

    /// The address, different for each service.
    let apiURL: URL
    private let steps: [Step]
    private var records: [Record] = []
    private var waits: [TimeInterval] = []
    private var requestWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// A service that takes these steps, and the last of them again and again.
    init(_ steps: Step...) {
        self.steps = steps
        let host = UUID().uuidString.lowercased() + ".example.test"
        apiURL = URL(string: "https://\(host)")!
        ScriptedService.lock.withLock { ScriptedService.services[host] = self }
    }

    /// A session whose requests go to services like this.
    static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [ScriptedProtocol.self]
        return URLSession(configuration: configuration)
    }

    /// A client whose waits between attempts are noted and not waited for.
    func client(
        publicKey: String = "pk_test_0001", url: URL? = nil, retry: RetryPolicy = RetryPolicy(),
        timeout: TimeInterval = 15, random: Double = 0.5,
        now: Date = Date(timeIntervalSince1970: 1_445_412_450),
        sleep: (@Sendable (TimeInterval) async throws -> Void)? = nil
    ) throws -> Frontmail {
        try Frontmail(
            publicKey: publicKey, apiURL: url ?? apiURL, retry: retry, timeout: timeout,
            session: ScriptedService.session(),
            surroundings: Surroundings(
                random: { random },
                sleep: { seconds in
                    self.note(wait: seconds)
                    try await sleep?(seconds)
                },
                now: { now }))
    }

    /// The requests so far.
    var requests: [Record] { ScriptedService.lock.withLock { records } }
    /// The waits between attempts so far.
    var pauses: [TimeInterval] { ScriptedService.lock.withLock { waits } }

    /// Returns when `count` requests have come.
    func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = ScriptedService.lock.withLock { () -> Bool in
                if records.count >= count { return true }
                requestWaiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func note(wait seconds: TimeInterval) {
        ScriptedService.lock.withLock { waits.append(seconds) }
    }

    fileprivate static func step(for record: Record) -> Step? {
        let (step, ready) = lock.withLock {
            () -> (Step?, [CheckedContinuation<Void, Never>]) in
            guard let service = services[record.url.host ?? ""] else { return (nil, []) }
            service.records.append(record)
            let count = service.records.count
            let ready = service.requestWaiters.filter { $0.count <= count }.map(\.continuation)
            service.requestWaiters.removeAll { $0.count <= count }
            return (service.steps[min(count, service.steps.count) - 1], ready)
        }
        for continuation in ready { continuation.resume() }
        return step
    }
}

/// What a session asks in place of the network.
private final class ScriptedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url else { return }
        let record = ScriptedService.Record(
            method: request.httpMethod ?? "", url: url, fields: request.allHTTPHeaderFields ?? [:],
            body: body())
        switch ScriptedService.step(for: record) {
        case .answer(let status, let fields, let text):
            answer(status, fields, Data(text.utf8))
        case .octets(let status, let data): answer(status, [:], data)
        case .fail(let code): client?.urlProtocol(self, didFailWithError: URLError(code))
        case .hang: break
        case nil: client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
        }
    }

    private func answer(_ status: Int, _ fields: [String: String], _ data: Data) {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        if !data.isEmpty { client?.urlProtocol(self, didLoad: data) }
        client?.urlProtocolDidFinishLoading(self)
    }

    /// Sessions hand a body on as a stream on some systems.
    private func body() -> Data {
        if let body = request.httpBody { return body }
        guard let stream = request.httpBodyStream else { return Data() }
        stream.open()
        defer { stream.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
            data.append(contentsOf: buffer.prefix(count))
        }
        return data
    }
}

/// Runs `body` and gives the error that it throws.
func failure(of body: () async throws -> some Sendable) async -> FrontmailError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? FrontmailError
    }
}
