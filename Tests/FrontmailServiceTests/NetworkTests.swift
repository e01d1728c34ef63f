import Foundation
import Frontmail
import MartletSandbox
import MartletTestSupport
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The SDK and a service, with a network between them.
@Suite("Frontmail over a network", .serialized, .timeLimit(.minutes(5)))
struct NetworkTests {
    private func client(
        _ service: StandInService, retry: RetryPolicy = RetryPolicy(baseDelay: 0.01),
        timeout: TimeInterval = 30, session: URLSession = .shared
    ) throws -> Frontmail {
        try Frontmail(
            publicKey: "pk_test_0001", apiURL: service.url, retry: retry, timeout: timeout,
            session: session)
    }

    private func failure(_ body: () async throws -> some Sendable) async -> FrontmailError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? FrontmailError
        }
    }

    @Test("A send arrives with its fields, and its status can be asked")
    func roundTrip() async throws {
        try await StandInService.run { service in
            let frontmail = try client(service)
            let result = try await frontmail.send(
                templateID: "tpl_hello", params: ["name": "Ana ✉️", "n": 2])
            let status = try await frontmail.status(
                messageID: "a/b ?#%ü", statusToken: result.statusToken)
            #expect(status.status == .sent && status.events.count == 2)
            let (send, ask) = (service.records[0], service.records[1])
            #expect(send.method == "POST" && send.path == "/v1/send")
            #expect(send.fields["x-frontmail-public-key"] == "pk_test_0001")
            #expect(send.fields["x-frontmail-client"] == "frontmail-swift/" + Frontmail.version)
            #expect(send.fields["content-type"] == "application/json")
            #expect(send.fields["cookie"] == nil && send.fields["origin"] == nil)
            #expect((send.json["template_params"] as? [String: Any])?["name"] as? String == "Ana ✉️")
            #expect(ask.method == "GET" && ask.path == "/v1/messages/a%2Fb%20%3F%23%25%C3%BC")
            #expect(ask.fields["x-frontmail-status-token"] == result.statusToken)
            #expect(ask.body.isEmpty)
        }
    }

    @Test("An answer that is lost does not send a second mail")
    func lostAnswer() async throws {
        try await StandInService.run([.loseAnswer, .answer(503), .loseAnswer]) { service in
            let result = try await client(service).send(templateID: "t")
            #expect(service.requestCount == 4)
            #expect(service.messageCount == 1)
            #expect(result.messageID == "msg_1")
            #expect(Set(service.records.map(\.body)).count == 1)
        }
    }

    @Test("Nobody listens: a broken network, asked as often as allowed")
    func nobodyListens() async throws {
        let port = try FreePorts.first(of: 1)
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let frontmail = try Frontmail(
            publicKey: "pk_1", apiURL: url, retry: RetryPolicy(maxRetries: 1, baseDelay: 0))
        let error = await failure { try await frontmail.send(templateID: "t") }
        #expect(error?.code == .networkError)
        #expect(error?.isNetwork == true && error?.status == nil)
    }

    @Test("A redirect is an error, and the key goes nowhere", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await StandInService.run { other in
            let target = other.url.absoluteString + "/v1/send"
            try await StandInService.run([
                .answer(status, ["Location": target]), .answer(status, ["Location": target]),
            ]) { service in
                for session in [
                    URLSession.shared,
                    URLSession(configuration: .ephemeral, delegate: Follower(), delegateQueue: nil),
                ] {
                    let frontmail = try client(service, session: session)
                    let error = await failure { try await frontmail.send(templateID: "t") }
                    #expect(error?.code == .invalidResponse)
                    #expect(error?.message.contains("\(status)") == true)
                }
                #expect(service.requestCount == 2)
                #expect(other.requestCount == 0)
            }
        }
    }

    /// A session's delegate that would follow.
    private final class Follower: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(request)
        }
    }

    @Test(
        "A body of five gigabytes, or without an end, is given up", arguments: [5_000_000_000, nil])
    func endless(octets: Int?) async throws {
        try await StandInService.run([.stream(octets: octets)]) { service in
            let frontmail = try client(service)
            let error = await failure { try await frontmail.send(templateID: "t") }
            #expect(error?.code == .invalidResponse)
            #expect(error?.message.contains("KiB") == true)
            #expect(service.requestCount == 1)
            try await waitUntil { service.clientsGone == 1 }
            // What a busy machine lets through before the end is heard, and nowhere near the whole.
            #expect(service.octetsTaken < 512 * 1024 * 1024)
        }
    }

    @Test("A wrong certificate is a broken network, and nothing is said to that server")
    func wrongCertificate() async throws {
        let configuration = Sandbox.Configuration.freePorts
        let sandbox = try await Sandbox.start(configuration)
        let url = try #require(URL(string: "https://localhost:\(sandbox.smtpsPort)"))
        let frontmail = try Frontmail(publicKey: "pk_1", apiURL: url, retry: .disabled)
        let error = await failure { try await frontmail.send(templateID: "t") }
        #expect(error?.code == .networkError)
        await sandbox.stop()
    }

    @Test("A service that hangs is a timeout for each attempt")
    func hangs() async throws {
        try await StandInService.run([.hang, .hang]) { service in
            let frontmail = try client(
                service, retry: RetryPolicy(maxRetries: 1, baseDelay: 0), timeout: 0.3)
            let start = ContinuousClock.now
            let error = await failure { try await frontmail.send(templateID: "t") }
            #expect(error?.code == .timeout)
            #expect(ContinuousClock.now - start >= .milliseconds(600))
            try await waitUntil { service.clientsGone == 2 }
        }
    }

    @Test("A body that drips does not outlive the time of its attempt")
    func drips() async throws {
        try await StandInService.run([.drip]) { service in
            let frontmail = try client(service, retry: .disabled, timeout: 0.4)
            let error = await failure { try await frontmail.send(templateID: "t") }
            #expect(error?.code == .timeout)
        }
    }

    @Test("A redirect whose body never ends is an error all the same, and is followed by nobody")
    func endlessRedirect() async throws {
        try await StandInService.run([.endlessRedirect, .endlessRedirect]) { service in
            let frontmail = try client(service, retry: .disabled, timeout: 3)
            let error = await failure { try await frontmail.send(templateID: "t") }
            // What the session tells of such a body depends on the system; its time ends it at the latest.
            #expect(error?.code == .invalidResponse || error?.code == .timeout)
            #expect(service.requestCount == 1)
            #expect(service.octetsTaken < 512 * 1024 * 1024)
        }
    }

    @Test("An answer that asks for a password is an error like any other")
    func asksForPassword() async throws {
        final class Indifferent: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) ->
                    Void
            ) {
                completionHandler(.performDefaultHandling, nil)
            }
        }
        let answer = StandInService.Step.answer(
            401, ["WWW-Authenticate": "Basic realm=\"mail\""],
            #"{"error":{"code":"unauthorized","message":"no"}}"#)
        let own = URLSession(
            configuration: .ephemeral, delegate: Indifferent(), delegateQueue: nil)
        try await StandInService.run([answer, answer]) { service in
            for session in [URLSession.shared, own] {
                let frontmail = try client(service, session: session)
                let error = await failure { try await frontmail.send(templateID: "t") }
                #expect(error?.code == .unauthorized)
                #expect(error?.status == 401 && error?.isAuth == true)
            }
            #expect(service.requestCount == 2)
        }
    }

    @Test("A clock that is set during a wait changes nothing")
    func clockJumps() async throws {
        let hours = Mutex(0)
        let waits = Mutex<[TimeInterval]>([])
        try await StandInService.run([
            .answer(503, ["Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"]),
            .answer(429, ["Retry-After": "0.2"]),
        ]) { service in
            let frontmail = try Frontmail(
                publicKey: "pk_1", apiURL: service.url, retry: RetryPolicy(), timeout: 15,
                session: .shared,
                surroundings: Surroundings(
                    random: { 0.5 },
                    sleep: { seconds in
                        waits.withLock { $0.append(seconds) }
                        hours.withLock { $0 += seconds > 1 ? -100 : 100 }
                        try await Surroundings.system.sleep(min(seconds, 0.2))
                    },
                    now: {
                        // 07:27:30, and the hours that somebody moved it by
                        Date(
                            timeIntervalSince1970: 1_445_412_450 + Double(hours.withLock { $0 })
                                * 3_600)
                    }))
            try await frontmail.send(templateID: "t")
            #expect(waits.withLock { $0 } == [30, 0.2])
            #expect(service.messageCount == 1)
        }
    }

    @Test("Ten thousand at once, each one mail")
    func crowd() async throws {
        try await StandInService.run(keepsRecords: false) { service in
            let frontmail = try client(service, timeout: 120)
            let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        try await frontmail.send(templateID: "t", params: ["n": .int(number)])
                            .messageID
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(identifiers.count == 10_000)
            #expect(service.messageCount == 10_000)
            #expect(service.requestCount == 10_000)
        }
    }

    @Test("Cancelled at any moment it ends at once, with one mail at most")
    func cancelledAnywhere() async throws {
        let steps: [StandInService.Step] = [.answer(503), .loseAnswer, .hang]
        try await StandInService.run(Array(repeating: steps, count: 400).flatMap { $0 }) {
            service in
            let frontmail = try client(
                service, retry: RetryPolicy(maxRetries: 50, baseDelay: 0.002))
            var random = SeededGenerator(seed: 11)
            for _ in 0..<150 {
                let task = Task { await failure { try await frontmail.send(templateID: "t") } }
                for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
                if Bool.random(using: &random) {
                    try await Task.sleep(
                        for: .microseconds(Int.random(in: 0..<20_000, using: &random)))
                }
                task.cancel()
                let start = ContinuousClock.now
                let error = await task.value
                #expect(error == nil || error?.code == .aborted)
                #expect(ContinuousClock.now - start < .seconds(5))
            }
            #expect(service.messageCount <= 150)
        }
    }

    @Test("A client that goes leaves no session behind")
    func noLeak() async throws {
        try await StandInService.run { service in
            weak var gone: Frontmail?
            do {
                let frontmail = try client(service)
                try await frontmail.send(templateID: "t")
                gone = frontmail
            }
            try await waitUntil { gone == nil }
        }
    }
}
