import Dispatch
import Foundation
import Frontmail
import MartletTestSupport
import Synchronization
import Testing

extension NetworkTests {
    /// Answers that never end in a place that no body is told of. On Linux all sessions of a process wait for each other while one
    /// of them comes: see `OwnSession`.
    ///
    /// Among the others over a network, one after the other with them: they would wait too.
    @Suite("Frontmail and an endless answer", .timeLimit(.minutes(3)))
    struct EndlessAnswerTests {
        private func failure(_ frontmail: Frontmail) async -> FrontmailError? {
            do {
                _ = try await frontmail.send(templateID: "t")
                return nil
            } catch {
                return error as? FrontmailError
            }
        }

        /// The longest time between two moments in which a task that has nothing to do with all this was run.
        private func longestPause(while body: () async throws -> Void) async rethrows -> Duration {
            let longest = Mutex(Duration.zero)
            let ticking = Task.detached {
                var last = ContinuousClock.now
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(20))
                    let now = ContinuousClock.now
                    longest.withLock { $0 = max($0, now - last) }
                    last = now
                }
            }
            try await body()
            ticking.cancel()
            await ticking.value
            return longest.withLock { $0 }
        }

        @Test(
            "ends in the time of its attempts, and other tasks run meanwhile",
            // Not trailers: a session takes minutes for those that came before their peer was gone, and this process has more to do.
            arguments: [EndlessPeer.Answer.redirect, .chunkExtension])
        func endsInTime(answer: EndlessPeer.Answer) async throws {
            let peer = try EndlessPeer(answer)
            // Without the mend nothing else would end this test.
            let rescue = DispatchWorkItem { peer.stop() }
            DispatchQueue(label: "rescue").asyncAfter(deadline: .now() + 30, execute: rescue)
            let frontmail = try Frontmail(
                publicKey: "pk_1", apiURL: peer.url,
                retry: RetryPolicy(maxRetries: 1, baseDelay: 0),
                timeout: 1)
            let start = ContinuousClock.now
            let pause = await longestPause {
                let errors = await withTaskGroup(of: FrontmailError?.self) { group in
                    for _ in 0..<6 { group.addTask { await self.failure(frontmail) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                // Elsewhere a session may tell of the redirect before its body.
                let isTold = errors.allSatisfy {
                    $0?.code == .timeout || answer == .redirect && $0?.code == .invalidResponse
                }
                #expect(isTold, "\(errors)")
                // One that is cancelled while the session is kept, and its queue with it.
                let task = Task { await failure(frontmail) }
                try? await Task.sleep(for: .milliseconds(100))
                task.cancel()
                let cancelled = ContinuousClock.now
                let error = await task.value
                #expect(error?.code == .aborted || error?.code == .invalidResponse)
                #expect(ContinuousClock.now - cancelled < .seconds(5))
            }
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(pause < .seconds(5))
            rescue.cancel()
            peer.stop()
            // Once the peer is gone, everything is as it was.
            try await StandInService.run { service in
                let frontmail = try Frontmail(publicKey: "pk_1", apiURL: service.url, timeout: 60)
                try await frontmail.send(templateID: "t")
                #expect(service.messageCount == 1)
            }
        }

        private func send(to peer: EndlessPeer, timeout: Int) throws -> Subprocess {
            let words = [
                "frontmail", "send", "--url", peer.url.absoluteString, "--key", "pk_1",
                "--template",
                "t", "--retries", "1", "--timeout", "\(timeout)",
            ]
            let process = try Subprocess(
                BuiltProgram("martlet", unless: "MARTLET_EXECUTABLE").path, words,
                environment: BuiltProgram.complete([:]))
            process.closeInput()
            return process
        }

        @Test("ends a program in time", arguments: EndlessPeer.Answer.allCases)
        func endsProgram(answer: EndlessPeer.Answer) async throws {
            let peer = try EndlessPeer(answer)
            defer { peer.stop() }
            let start = ContinuousClock.now
            let process = try send(to: peer, timeout: 1)
            let rescue = DispatchWorkItem { process.send(signal: SIGKILL) }
            DispatchQueue(label: "rescue").asyncAfter(deadline: .now() + 30, execute: rescue)
            let status = await process.result().status
            rescue.cancel()
            #expect(status == 75 || answer == .redirect && status == 76)
            #expect(ContinuousClock.now - start < .seconds(20))
        }

        @Test("leaves Ctrl-C its meaning", arguments: EndlessPeer.Answer.allCases)
        func interrupted(answer: EndlessPeer.Answer) async throws {
            let peer = try EndlessPeer(answer)
            defer { peer.stop() }
            let process = try send(to: peer, timeout: 3_600)
            let rescue = DispatchWorkItem { process.send(signal: SIGKILL) }
            DispatchQueue(label: "rescue").asyncAfter(deadline: .now() + 30, execute: rescue)
            try await waitUntil { peer.connectionCount > 0 }
            // until the session is kept
            try await Task.sleep(for: .milliseconds(300))
            process.send(signal: SIGINT)
            #expect(await process.result().status == 130)
            rescue.cancel()
        }
    }
}
