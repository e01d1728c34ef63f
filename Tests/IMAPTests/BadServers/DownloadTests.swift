import MartletIMAP
import MartletTestSupport
import Testing

@Suite("Downloads from servers that err", .timeLimit(.minutes(1)))
struct DownloadTests {
    /// What `download` gives of message 5, and how it ends, where the server answers with these rows.
    private func download(
        _ rows: [String], section: MessageSection = .message
    ) async throws -> (octets: String, error: IMAPError?) {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            for row in rows { try await peer.say(row) }
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        return try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var octets: [UInt8] = []
            let error = await failure {
                try await imap.download(section, of: UID(5)!) { octets += $0 }
            }
            return (String(decoding: octets, as: UTF8.self), error)
        }
    }

    private func large(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("takes the body of no other message")
    func otherMessage() async throws {
        let other = "* 2 FETCH (BODY[] {300000}\r\n\(large(300_000)) UID 6)\r\n"
        let own = "* 1 FETCH (UID 5 BODY[] {5}\r\nhello)\r\n"
        let found = try await download([other, own])
        guard case .protocolViolation? = found.error?.kind else {
            Issue.record("\(String(describing: found.error))")
            return
        }
        #expect(
            try await download(["* 2 FETCH (UID 6 BODY[] {3}\r\nsix)\r\n", own]).octets == "hello")
    }

    @Test("takes the section that was asked for, and takes it once", arguments: [5, 300_000])
    func once(size: Int) async throws {
        let body = large(size)
        let row = "* 1 FETCH (UID 5 BODY[] {\(size)}\r\n\(body))\r\n"
        let twice = try await download([row, row])
        #expect(twice.octets == body && twice.error == nil)
        let first = try #require(PartNumber("1"))
        let mixed = try await download(
            ["* 1 FETCH (UID 5 BODY[2] {3}\r\ntwo BODY[1] {\(size)}\r\n\(body))\r\n"],
            section: MessageSection(first))
        #expect(mixed.octets == body && mixed.error == nil)
    }

    @Test("numbers at the end of what can be counted are an error, and no crash")
    func hugeNumbers() async throws {
        for item in [
            "BODY[]<18446744073709551615> {5}\r\nhello", "BODY[]<9223372036854775807> \"hello\"",
        ] {
            let found = try await download(["* 1 FETCH (UID 5 \(item))\r\n"])
            #expect(found.error != nil && found.octets.isEmpty, "\(item)")
        }
    }

    @Test("of a message that has octets, and of which none come, is no success")
    func empty() async throws {
        let found = try await download(["* 1 FETCH (UID 5 BODY[] NIL RFC822.SIZE 30)\r\n"])
        guard case .missingResponse? = found.error?.kind else {
            Issue.record("\(String(describing: found.error))")
            return
        }
    }

    /// How a server goes on where a lost connection ended.
    enum Resumption: CaseIterable, Sendable {
        case withOrigin, withoutOrigin, fromTheBeginning, empty, larger, elsewhere
    }

    @Test(
        "goes on with what was announced, however the rest is told, or fails",
        arguments: Resumption.allCases)
    func resumes(_ how: Resumption) async throws {
        let body = (0..<100_000).map { "\($0 % 10_000)".padding(10) }.joined()
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            if command.connection == 1 {
                try await peer.say("* 1 FETCH (UID 5 BODY[] {1000000}\r\n\(body.prefix(500_000))")
                await peer.close()
                throw PeerGone()
            }
            let start =
                Int(command.words.split(separator: "<").last?.prefix { $0.isNumber } ?? "") ?? 0
            let rest = body.dropFirst(start)
            let item =
                switch how {
                case .withOrigin: "BODY[]<\(start)> {\(rest.count)}\r\n\(rest)"
                case .withoutOrigin: "BODY[] {\(rest.count)}\r\n\(rest)"
                case .fromTheBeginning: "BODY[] {\(body.count)}\r\n\(body)"
                case .empty: "BODY[]<\(start)> \"\""
                case .larger: "BODY[]<\(start)> {\(rest.count + 2)}\r\n\(rest)xx"
                case .elsewhere: "BODY[]<\(start + 5)> {\(rest.count - 5)}\r\n\(rest.dropFirst(5))"
                }
            try await peer.say("* 1 FETCH (UID 5 \(item))\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var octets: [UInt8] = []
            let error = await failure {
                try await imap.download(.message, of: UID(5)!) { octets += $0 }
            }
            switch how {
            case .withOrigin, .withoutOrigin, .fromTheBeginning:
                #expect(error == nil && octets == Array(body.utf8))
            case .empty, .larger, .elsewhere:
                guard case .protocolViolation? = error?.kind else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
        }
    }

    @Test("ends a literal that was announced too long where its octets end")
    func shortLiteral() async throws {
        let body = large(300_600)
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            try await peer.say(
                "* 1 FETCH (UID 5 BODY[] {300900}\r\n\(body))\r\n\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) {
            $0.timeouts.reply = .seconds(1)
        } _: { imap in
            try await imap.select(.inbox)
            #expect(try await imap.octets(of: UID(5)!) == Array(body.utf8))
        }
    }
}

extension String {
    /// The text with blanks behind it.
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
