import MartletIMAP
import MartletTestSupport
import MartletTransport
import Testing

@Suite("Secrets that a server says back", .timeLimit(.minutes(1)))
struct EchoTests {
    @Test(
        "stand in no error and in no log",
        arguments: ["IMAP4rev1 AUTH=PLAIN SASL-IR", "IMAP4rev1 AUTH=LOGIN", "IMAP4rev1"])
    func echoed(capabilities: String) async throws {
        let server = ScriptedIMAP(capabilities: capabilities) { command, peer in
            switch command.words.split(separator: " ").first {
            case "AUTHENTICATE", "LOGIN":
                var heard = command.words
                if command.words == "AUTHENTICATE LOGIN" {
                    try await peer.say("+ VXNlcm5hbWU6\r\n")
                    _ = try await peer.line()
                    try await peer.say("+ UGFzc3dvcmQ6\r\n")
                    heard = try await peer.line()
                }
                try await peer.say(
                    "* OK you said \(heard)\r\n\(command.tag) NO bad command: \(heard)\r\n")
                return true
            default: return false
            }
        }
        let notes = Notes()
        try await withScriptedIMAP(server) {
            $0.log = WireLog { notes.note("\($0)") }
        } _: { imap in
            let error = await failure { try await imap.connect() }
            let words = (error.map { "\($0)" } ?? "") + notes.words.joined()
            #expect(error?.recovery == .authenticate)
            for secret in ["alicepw", "AGFsaWNlAGFsaWNlcHc", "YWxpY2Vwdw"] {
                #expect(!words.contains(secret), "\(words)")
            }
        }
    }
}

@Suite("Calls that fail in the middle", .timeLimit(.minutes(1)))
struct PartialSuccessTests {
    @Test("tell how many messages were stored before")
    func append() async throws {
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 LITERAL+ AUTH=PLAIN") { command, peer in
            guard command.words.hasPrefix("APPEND") else { return false }
            // the message of one line, and the line end behind it
            let line = try await peer.line()
            let isLast = line.contains("third")
            try await peer.say("\(command.tag) \(isLast ? "NO [OVERQUOTA] full" : "OK")\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            let messages = ["first", "second", "third"].map {
                AppendMessage(OctetArray(Array("a: \($0)".utf8)))
            }
            let error = await failure { try await imap.append(messages, to: .inbox) }
            #expect(error?.code == .overQuota && error?.progress == .messages(2))
            #expect(error?.description.contains("first 2 messages") == true)
        }
    }
}
