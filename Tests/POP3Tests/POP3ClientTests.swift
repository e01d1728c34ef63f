import MartletPOP3
import MartletTestSupport
import Synchronization
import Testing

@Suite("POP3 client", .timeLimit(.minutes(1)))
struct POP3ClientTests {
    @Test("checks an account, lists, fetches header and message, deletes, disconnects")
    func tour() async throws {
        let server = ScriptedPOP3()
        try await withScriptedPOP3(server) { pop in
            try await pop.connect()
            #expect(try await pop.status().messageCount == 3)
            let listed = try await pop.messages()
            #expect(listed.map(\.number) == [1, 2, 3])
            #expect(
                listed[1] == MaildropMessage(number: 2, sizeInOctets: 38, uniqueID: UniqueID("id2"))
            )
            #expect(try await pop.header(of: 2) == octets("Subject: message 2\r\n\r\n"))
            #expect(try await pop.octets(of: 2) == octets(server.messages[1]))
            #expect(try await pop.message(3).subject == "message 3")
            let refused = try await pop.delete([1, 9, 3])
            #expect(refused.map(\.number) == [9])
            #expect(await pop.markedCount == 2)
            try await pop.disconnect()
            #expect(!(await pop.isConnected))
        }
        #expect(
            server.lines == [
                "CAPA", "AUTH PLAIN AGFsaWNlAGFsaWNlcHc=", "CAPA", "STAT", "LIST", "UIDL",
                "TOP 2 0",
                "RETR 2", "RETR 3", "DELE 1", "DELE 9", "DELE 3", "QUIT",
            ])
    }

    @Test("says QUIT when its body returns, and not when it throws")
    func commit() async throws {
        for fails in [false, true] {
            let server = ScriptedPOP3()
            try await withScriptedServer(server.serve) { port in
                let settings = try plainServer(port)
                do {
                    try await POP3Client.withConnection(to: settings) { pop in
                        try await pop.delete([1])
                        if fails { throw PeerGone() }
                    }
                } catch is PeerGone {}
            }
            #expect((server.lines.last == "QUIT") == !fails)
        }
    }

    @Test("asks for many messages before the first has come, and hands them over in order")
    func pipelining() async throws {
        let asked = Mutex(0)
        let server = ScriptedPOP3(messages: (1...600).map { "Subject: \($0)\r\n\r\nText.\r\n" }) {
            command, peer in
            guard command.verb == "RETR" else { return false }
            let count = asked.withLock { count in
                count += 1
                return count
            }
            // Nothing is answered before so many have come as may be under way.
            if count < POP3Session.pipelineLimit { return true }
            if count == POP3Session.pipelineLimit {
                for number in 1..<count {
                    try await peer.say("+OK\r\nSubject: \(number)\r\n\r\nText.\r\n.\r\n")
                }
            }
            return false
        }
        try await withScriptedPOP3(server) { pop in
            var subjects: [Int] = []
            try await pop.retrieve(1...600) { message in
                #expect(message.octets == octets(server.messages[message.number - 1]))
                subjects.append(message.number)
            }
            #expect(subjects == Array(1...600))
            try await pop.noop()
        }
    }

    @Test("asks for one at a time where PIPELINING is not offered")
    func oneByOne() async throws {
        let server = ScriptedPOP3(capabilities: ["UIDL", "TOP", "USER", "SASL PLAIN"])
        try await withScriptedPOP3(server) { pop in
            #expect(try await pop.messages().count == 3)
            var count = 0
            try await pop.retrieve([3, 1, 7, 2]) { message in
                count += 1
                #expect((message.refusal != nil) == (message.number == 7))
            }
            #expect(count == 4)
            try await pop.delete([1, 2])
        }
        #expect(server.lines.suffix(2) == ["DELE 1", "DELE 2"])
    }

    @Test("makes IDs of headers where the server has none")
    func substitutes() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.verb == "UIDL" else { return false }
            try await peer.say("-ERR not implemented\r\n")
            return true
        }
        try await withScriptedPOP3(server) { pop in
            #expect(try await pop.messages().allSatisfy { $0.uniqueID == nil })
            let listed = try await pop.messages(substitutingIDs: true)
            #expect(listed.allSatisfy { $0.uniqueID?.isSubstitute == true })
            #expect(Set(listed.map(\.uniqueID)).count == 3)
        }
    }

    @Test("cuts the message where a server has no TOP")
    func noTop() async throws {
        let server = ScriptedPOP3(capabilities: ["USER", "SASL PLAIN"])
        try await withScriptedPOP3(server) { pop in
            #expect(try await pop.header(of: 1) == octets("Subject: message 1\r\n\r\n"))
            #expect(
                try await pop.header(of: 1, bodyLines: 1)
                    == octets("Subject: message 1\r\n\r\nText 1.\r\n"))
            try await pop.noop()
        }
        #expect(!server.lines.contains { $0.hasPrefix("TOP") })
    }

    @Test("never uses numbers of a connection that is gone")
    func numbers() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.verb == "NOOP", command.connection == 1 else { return false }
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedPOP3(server) { pop in
            _ = try await pop.messages()
            try await pop.delete([1, 2])
            let error = await failure { try await pop.noop() }
            #expect(error?.recovery == .reconnect && error?.lostDeletionCount == 2)
            for work in [
                { _ = try await pop.octets(of: 1) }, { try await pop.delete([1]) },
                { _ = try await pop.run(POP3.Retr(1)) },
            ] as [() async throws -> Void] {
                let error = await failure(work)
                guard case .numbersVoid? = error?.kind else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(error?.lostDeletionCount == 2 && error?.recovery == .reconnect)
            }
            // Who did not listen hears it at the end.
            let late = await failure { try await pop.disconnect() }
            #expect(late?.lostDeletionCount == 2)
            #expect(try await pop.messages().count == 3)
            #expect(try await pop.octets(of: 1) == octets(server.messages[0]))
        }
        #expect(server.connections == 2)
    }

    @Test("gives what came of a batch before the connection broke")
    func broken() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.line == "RETR 3" else { return false }
            try await peer.say("+OK\r\nhalf")
            await peer.close()
            throw PeerGone()
        }
        try await withScriptedPOP3(server) { pop in
            var whole: [Int] = []
            let error = await failure {
                try await pop.retrieve(1...3) { message in whole.append(message.number) }
            }
            #expect(whole == [1, 2] && error?.command == "RETR")
            #expect(!(await pop.isConnected))
        }
    }

    @Test(
        "closes when whoever takes the messages fails with more to come, and stays where all came")
    func consumerFails() async throws {
        let server = ScriptedPOP3()
        try await withScriptedPOP3(server) { pop in
            let early = await failure {
                try await pop.retrieve(1...3) { (_) async throws in throw PeerGone() }
            }
            // All three had come already, or not: in step or closed.
            #expect(early?.recovery == .fixInput && early?.underlying is PeerGone)
            try await pop.connect()
            try await pop.noop()
        }
    }

    @Test("keeps no more than the limit of a message")
    func tooLarge() async throws {
        let server = ScriptedPOP3()
        try await withScriptedPOP3(server) { pop in
            let error = await failure { _ = try await pop.octets(of: 1, limitInOctets: 10) }
            guard case .tooLarge(10)? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("is in step or closed when it is cancelled", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let server = ScriptedPOP3 { command, peer in
            guard command.verb == "RETR" else { return false }
            _ = await peer.rest()  // says nothing
            throw PeerGone()
        }
        try await withScriptedPOP3(server) { pop in
            try await pop.connect()
            let fetching = Task { try await pop.octets(of: 1) }
            let waiting = Task { try await pop.noop() }
            try await waitUntil { server.lines.contains("RETR 1") }
            waiting.cancel()
            fetching.cancel()
            await #expect(throws: POP3Error.self) { try await fetching.value }
            _ = try? await waiting.value
            #expect(!(await pop.isConnected))
            try await pop.connect()
            try await pop.noop()
        }
        #expect(server.connections == 2)
    }

    @Test("runs raw commands, messages too")
    func raw() async throws {
        let server = ScriptedPOP3()
        try await withScriptedPOP3(server) { pop in
            let reply = try await pop.run(POP3.RawCommand("RETR 1"))
            #expect(reply.body == octets(server.messages[0]))
            #expect(try await pop.run(POP3.RawCommand("UIDL")).lines.count == 3)
            #expect(try await pop.run(POP3.RawCommand("XNIX")).isOK)
        }
    }

    @Test("takes turns: any number of tasks may call")
    func turns() async throws {
        let server = ScriptedPOP3()
        try await withScriptedPOP3(server) { pop in
            try await withThrowingTaskGroup { group in
                for round in 0..<60 {
                    group.addTask {
                        let number = round % 3 + 1
                        let found = try await pop.octets(of: number)
                        #expect(found == octets(server.messages[number - 1]))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.connections == 1)
    }
}
