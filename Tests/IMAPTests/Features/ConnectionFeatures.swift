import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

extension Feature {
    static let connections: [Feature] = [
        Feature("IMAP4rev1", ["SELECT": "* 3 EXISTS\n* 1 RECENT\nTAG OK"], says: ["NOOP"]) { imap in
            #expect(try await imap.select(.inbox).mailbox.recentCount == 1)
            try await imap.noop()
        },
        Feature(
            "IMAP4rev2 (RFC 9051)", offers: "IMAP4rev2",
            [
                "ENABLE": "* ENABLED IMAP4rev2\nTAG OK",
                "LIST":
                    "* LIST () \"/\" INBOX\n* STATUS INBOX (MESSAGES 3 SIZE 9 DELETED 1)\n* LIST () \"/\" \"\u{FC}\"\n* STATUS \"\u{FC}\" (MESSAGES 4)\nTAG OK",
                "SELECT":
                    "* 3 EXISTS\n* LIST () \"/\" INBOX\n* OK [UIDVALIDITY 7] v\nTAG OK",
                "UID SEARCH": "* ESEARCH (TAG \"TAG\") UID COUNT 2\nTAG OK",
                "UID MOVE": "* OK [COPYUID 7 4 21] moved\nTAG OK",
                "UID EXPUNGE": "TAG OK",
            ],
            says: [
                "ENABLE IMAP4REV2",
                "LIST \"\" * RETURN (SUBSCRIBED CHILDREN SPECIAL-USE STATUS (MESSAGES DELETED SIZE))",
                "UID SEARCH RETURN (COUNT) SUBJECT \"\u{FC}\"", "UID MOVE 4 \"\u{FC}\"",
                "UID EXPUNGE 4", "APPEND \"\u{FC}\" {6+}|", "UNSELECT",
            ]
        ) { imap in
            // All of it is built in: nothing but IMAP4rev2 is listed.
            #expect(try await imap.enable([.imap4rev2]).contains(.imap4rev2))
            let listed = try await imap.mailboxes(status: [.messages, .size, .deleted])
            #expect(listed.map(\.entry.name.text) == ["INBOX", "\u{FC}"])
            #expect(listed.first?.status?.deleted == 1)
            try await imap.select(.inbox)
            let name = try MailboxName("\u{FC}")
            #expect(try await imap.search(.subject("\u{FC}"), returning: .count).count == 2)
            #expect(try await imap.move(UIDSet("4"), to: name).first?.uids?.count == 1)
            try await imap.expunge(UIDSet("4"))
            try await imap.append(message, to: name)
            try await imap.unselect()
        },
        Feature(
            "ENABLE", offers: "ENABLE CONDSTORE", ["ENABLE": "* ENABLED CONDSTORE\nTAG OK"],
            says: ["ENABLE CONDSTORE"]
        ) { imap in
            let enabled = try await imap.enable([.condStore, .qResync])
            #expect(enabled == [.condStore])
        },
        Feature("ENABLE: nothing is on without it", offers: "CONDSTORE") { imap in
            let enabled = try await imap.enable([.condStore])
            #expect(enabled.isEmpty)
        },
        Feature(
            "IDLE", offers: "IDLE", ["IDLE": "+ idling\n* 4 EXISTS"]
        ) { imap in
            for try await element in imap.watch(.inbox) {
                if case .event(.exists(4)) = element { break }
            }
        },
        Feature("NOTIFY (RFC 5465): not by itself without it", offers: "IDLE") { imap in
            await FeatureTests.lacks(.notify) { _ = try await imap.run(IMAP.Notify()) }
        },
        Feature(
            "NOTIFY (RFC 5465)", offers: "NOTIFY",
            [
                "NOTIFY SET": "* STATUS a (MESSAGES 4)\nTAG OK",
                "NOOP": "* STATUS a (MESSAGES 5)\nTAG OK",
            ],
            says: [
                "NOTIFY SET STATUS (PERSONAL (MessageNew MessageExpunge))", "NOOP", "NOTIFY NONE",
            ]
        ) { imap in
            var events = try await imap.events().makeAsyncIterator()
            let entries = try await imap.run(
                IMAP.Notify(
                    [.init(.personal, [.messageNew(), .messageExpunge])], status: true))
            #expect(entries.first?.status.messages == 4)
            try await imap.noop()
            guard case .status(_, let status)? = try await events.next() else {
                Issue.record("no news")
                return
            }
            #expect(status.messages == 5)
            _ = try await imap.run(IMAP.Notify())
        },
        Feature(
            "SASL-IR", offers: "SASL-IR", ["AUTHENTICATE PLAIN AGFsaWNlAGFsaWNlcHc=": "TAG OK"]
        ) { try await $0.connect() },
        Feature("SASL-IR: asked for without it", ["AUTHENTICATE PLAIN": "+ "]) {
            try await $0.connect()
        },
        Feature(
            "UNAUTHENTICATE", offers: "UNAUTHENTICATE", says: ["UNAUTHENTICATE"]
        ) { imap in
            try await imap.run(IMAP.Unauthenticate())
            let error = await failure { _ = try await imap.run(IMAP.Status(.inbox, [.messages])) }
            guard case .outOfOrder? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        },
        Feature("COMPRESS=DEFLATE: not without it") { imap in
            await FeatureTests.lacks(.compressDeflate) { try await imap.run(IMAP.Compress()) }
        },
    ]
}

extension FeatureTests {
    @Test("poll fallback where IDLE is absent")
    func polling() async throws {
        let polls = Mutex(0)
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 AUTH=PLAIN") { command, peer in
            guard command.words == "NOOP" else { return false }
            let poll = polls.withLock { count in
                count += 1
                return count
            }
            try await peer.say("* \(poll + 3) EXISTS\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.polling = .milliseconds(30)
        } _: { imap in
            for try await element in imap.watch(.inbox) {
                if case .event(.exists(5)) = element { break }
            }
        }
        #expect(!server.words.contains("IDLE"))
    }

    @Test("IDLE renewed before 29 min, dead link noticed, automatic resume")
    func renewal() async throws {
        let idles = Mutex(0)
        let server = ScriptedIMAP { command, peer in
            guard command.words == "IDLE" else { return false }
            let number = idles.withLock { count in
                count += 1
                return count
            }
            try await peer.say("+ idling\r\n")
            if number == 3 {
                // Dead: nothing is read or said any more.
                _ = await peer.rest()
                return true
            }
            if number == 4 { try await peer.say("* 9 EXISTS\r\n") }
            #expect(try await peer.line() == "DONE")
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        #expect(IMAPTimeouts().idleLimit < .seconds(29 * 60))
        try await withScriptedIMAP(server) {
            $0.timeouts.idleRenewal = .milliseconds(60)
            $0.timeouts.reply = .milliseconds(200)
        } _: { imap in
            for try await element in imap.watch(.inbox) {
                if case .event(.exists(9)) = element { break }
            }
        }
        #expect(server.connections == 2)
    }

    @Test("fetch one message by UID, urgent = jumps the queue")
    func urgent() async throws {
        let server = ScriptedIMAP()
        try await withScriptedServer(server.serve) { port in
            let account = IMAPAccount(try plainServer(port), connections: 1)
            let order = Notes()
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            async let first: Void = account.withClient { _ in for await _ in gate { break } }
            try await waitUntil { server.words.contains("CAPABILITY") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        try await account.withClient { _ in
                            order.note("\(number)")
                        }
                    }
                }
                try await waitUntil { await account.waitingCount == 3 }
                group.addTask {
                    try await account.withClient(urgency: .urgent) { _ in
                        order.note("urgent")
                    }
                }
                try await waitUntil { await account.waitingCount == 4 }
                open.yield()
                try await group.waitForAll()
            }
            try await first
            #expect(order.words.first == "urgent")
            #expect(order.words.count == 4)
            await account.close()
        }
        #expect(server.connections == 1)
    }

    @Test("long commands split to server limits", arguments: ["Gmail", "Yahoo", ""])
    func limits(profile: String) async throws {
        let (capability, limit) =
            switch profile {
            case "Gmail": ("X-GM-EXT-1", 16_000)
            case "Yahoo": ("XYMHIGHESTMODSEQ", 1_000)
            default: ("", 8_000)
            }
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 AUTH=PLAIN " + capability)
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let uids = UIDSet((0..<5_000).map { UID(UInt32($0 * 3 + 1))! })
            try await imap.store(uids, .add([.seen]), isSilent: true)
        }
        let longest = server.words.map(\.utf8.count).max() ?? 0
        #expect(longest < limit && longest > limit / 3)
    }

    @Test("client-side pipelining of independent commands")
    func pipelining() async throws {
        let held = Mutex<[(tag: String, name: Substring)]>([])
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("STATUS") else { return false }
            let asked = held.withLock { asked in
                asked.append((command.tag, command.words.split(separator: " ")[1]))
                return asked
            }
            // Nothing is answered before all have come.
            guard asked.count == 50 else { return true }
            for (tag, name) in asked {
                try await peer.say("* STATUS \(name) (MESSAGES 1)\r\n\(tag) OK\r\n")
            }
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let names = try (0..<50).map { try MailboxName("m\($0)") }
            let found = try await imap.statuses(of: names, [.messages])
            #expect(found.compactMap { $0 }.count == 50)
        }
    }
}
