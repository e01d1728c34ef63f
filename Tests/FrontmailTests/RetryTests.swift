import Foundation
import Frontmail
import Testing

@Suite("Retries")
struct RetryTests {
    private let accepted = ScriptedService.Step.answer(202, [:], ScriptedService.accepted)

    @Test("The ceiling doubles up to the limit")
    func ceiling() {
        let policy = RetryPolicy()
        func delays(_ random: Double) -> [TimeInterval] {
            (0...7).map { policy.delay(beforeRetry: $0, random: random) }
        }
        for (delay, expected) in zip(delays(0.5), [0.15, 0.3, 0.6, 1.2, 2.4, 4.8, 5, 5]) {
            #expect(abs(delay - expected) < 1e-9)
        }
        for (delay, expected) in zip(delays(1), [0.3, 0.6, 1.2, 2.4, 4.8, 9.6, 10, 10]) {
            #expect(abs(delay - expected) < 1e-9)
        }
        #expect(delays(0) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(policy.delay(beforeRetry: 10_000, random: 1) == 10)
        #expect(policy.delay(beforeRetry: .max, random: 1) == 10)
    }

    @Test("Values below 0 count as 0")
    func negative() {
        let policy = RetryPolicy(maxRetries: -1, baseDelay: -2, maxDelay: .nan)
        #expect(policy == RetryPolicy(maxRetries: 0, baseDelay: 0, maxDelay: 0))
        #expect(RetryPolicy.disabled.maxRetries == 0)
        #expect(RetryPolicy(baseDelay: 0).delay(beforeRetry: 5_000, random: 1) == 0)
        #expect(RetryPolicy(baseDelay: 1e300).delay(beforeRetry: 5_000, random: 1) == 10)
    }

    @Test("B1: until it succeeds, with the same key and the same octets")
    func untilSuccess() async throws {
        let service = ScriptedService(
            .fail(.networkConnectionLost), .answer(503), .answer(502), accepted)
        let result = try await service.client().send(templateID: "t", params: ["a": 1, "b": "x"])
        #expect(result.messageID == "msg_a")
        #expect(service.requests.count == 4)
        #expect(Set(service.requests.map { $0.fields["Idempotency-Key"] }).count == 1)
        #expect(Set(service.requests.map(\.body)).count == 1)
        #expect(Set(service.requests.map { $0.fields.filter { $0.key != "Cookie" } }).count == 1)
    }

    @Test("B2: the last attempt's error is thrown")
    func lastError() async throws {
        let service = ScriptedService(
            .answer(500), .answer(500), .answer(500),
            .answer(502, [:], #"{"error":{"code":"provider_error"}}"#))
        let client = try service.client()
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.code == .providerError)
        #expect(service.requests.count == 4)
        #expect(service.pauses.count == 3)
    }

    @Test("B3: without retries there is one attempt")
    func disabled() async throws {
        let service = ScriptedService(.answer(500))
        let client = try service.client(retry: .disabled)
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.status == 500)
        #expect(service.requests.count == 1)
    }

    @Test(
        "B4, B5: what the service asks to wait is waited exactly",
        arguments: [(429, "2", 2.0), (503, "60", 60), (429, "0.25", 0.25), (500, "0", 0)])
    func asked(status: Int, value: String, seconds: Double) async throws {
        let service = ScriptedService(.answer(status, ["Retry-After": value]), accepted)
        try await service.client().send(templateID: "t")
        #expect(service.pauses == [seconds])
    }

    @Test("B6: more than a minute is an error at once")
    func askedTooMuch() async throws {
        let service = ScriptedService(.answer(503, ["Retry-After": "61"]), accepted)
        let client = try service.client()
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.retryAfter == 61)
        #expect(error?.status == 503)
        #expect(service.requests.count == 1)
    }

    @Test("B7: what cannot be read counts as absent")
    func unreadable() async throws {
        let service = ScriptedService(.answer(429, ["Retry-After": "soon"]), accepted)
        try await service.client().send(templateID: "t")
        #expect(service.pauses == [0.15])
    }

    @Test("B8: an error that is not retried tells the time as well")
    func notRetried() async throws {
        let service = ScriptedService(.answer(422, ["Retry-After": "5"]))
        let client = try service.client()
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.retryAfter == 5)
        #expect(service.requests.count == 1)
    }

    @Test("B9: an attempt that hangs is made again")
    func hangs() async throws {
        let service = ScriptedService(.hang, accepted)
        try await service.client(timeout: 0.6).send(templateID: "t")
        #expect(service.requests.count == 2)
    }

    @Test("B10: when all hang, it is a timeout")
    func hangsAlways() async throws {
        let service = ScriptedService(.hang)
        let client = try service.client(retry: RetryPolicy(maxRetries: 1), timeout: 0.2)
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.code == .timeout)
        #expect(error?.isNetwork == true)
        #expect(error?.message == "The service did not answer within 0.2 seconds.")
        #expect(service.requests.count == 2)
    }

    @Test("B11: cancelled during a request")
    func cancelledInRequest() async throws {
        let service = ScriptedService(.hang)
        let client = try service.client()
        let task = Task { await failure { try await client.send(templateID: "t") } }
        await service.waitForRequests(1)
        let start = Date()
        task.cancel()
        let error = await task.value
        #expect(error?.code == .aborted)
        #expect(error?.isCancelled == true)
        #expect(Date().timeIntervalSince(start) < 1)
        #expect(service.requests.count == 1)
    }

    @Test("B11: cancelled during a wait")
    func cancelledInWait() async throws {
        let service = ScriptedService(.answer(429, ["Retry-After": "30"]), accepted)
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        let client = try service.client(sleep: { seconds in
            waiting.yield()
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        })
        let task = Task { await failure { try await client.send(templateID: "t") } }
        for await _ in waits { break }
        let start = Date()
        task.cancel()
        #expect(await task.value?.code == .aborted)
        #expect(Date().timeIntervalSince(start) < 1)
        #expect(service.requests.count == 1)
    }

    @Test("B11: cancelled before the call")
    func cancelledBefore() async throws {
        let service = ScriptedService(accepted)
        let client = try service.client()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { try await client.send(templateID: "t") }
        }
        task.cancel()
        #expect(await task.value?.code == .aborted)
        let others = Task {
            while !Task.isCancelled { await Task.yield() }
            return [
                await failure { try await client.status(messageID: "m", statusToken: "s") },
                await failure { try await client.publicConfig() },
            ]
        }
        others.cancel()
        #expect(await others.value.map { $0?.code } == [.aborted, .aborted])
        #expect(service.requests.isEmpty)
    }

    @Test("A session that cancels by itself is a broken network")
    func cancelledBySession() async throws {
        let service = ScriptedService(.fail(.cancelled))
        let client = try service.client(retry: .disabled)
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.code == .networkError)
        #expect(error?.status == nil)
    }

    @Test("Statuses are asked for again by the same rules")
    func status() async throws {
        let service = ScriptedService(
            .answer(503), .answer(200, [:], #"{"message_id":"m","status":"sent"}"#))
        let status = try await service.client().status(messageID: "m", statusToken: "s")
        #expect(status.status == .sent)
        #expect(service.requests.count == 2)
    }

    private static let retryAfterValues: [(String, Double?)] = [
        ("0", 0), ("2", 2), (" 7 ", 7), ("1.5", 1.5), ("-5", 0), ("", nil), ("soon", nil),
        ("0x10", nil), ("1e3", nil), ("inf", nil), ("nan", nil), (".", nil), ("1.2.3", nil),
        ("-", nil), ("+5", nil),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 30), ("Wed, 21 Oct 2015 07:27:00 GMT", 0),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 30), ("Wed Oct 21 07:28:00 2015", 30),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        (String(repeating: "9", count: 400), nil), ("99999999999999999999", 1e9),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 1e9), ("Sun Nov  6 08:49:37 1994", 0),
    ]

    @Test("Retry-After is read", arguments: retryAfterValues)
    func retryAfter(value: String, expected: Double?) {
        let now = Date(timeIntervalSince1970: 1_445_412_450)  // 2015-10-21 07:27:30 UTC
        #expect(RetryAfter.seconds(value, now: now) == expected)
    }
}
