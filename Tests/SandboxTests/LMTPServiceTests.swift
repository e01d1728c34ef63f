import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox LMTP", .timeLimit(.minutes(1)))
struct LMTPServiceTests {
    @Test("answers for each recipient once the message is there, as RFC 2033 wants it")
    func replies() async throws {
        try await withSandbox({ $0.requiresAuthentication = true }) { sandbox in
            let lmtp = try await LineDialogue(sandbox.ports.lmtp)
            #expect(try await lmtp.ask("EHLO client.example.com").hasPrefix("5"))
            #expect(try await lmtp.ask("LHLO client.example.com").hasPrefix("250-"))
            while !(try await lmtp.line()).hasPrefix("250 ") {}
            #expect(try await lmtp.ask("MAIL FROM:<>").hasPrefix("250"))
            // Without a recipient there is no message.
            #expect(try await lmtp.ask("DATA").hasPrefix("503"))
            #expect(try await lmtp.ask("RCPT TO:<alice@example.test>").hasPrefix("250"))
            #expect(try await lmtp.ask("RCPT TO:<bob+tag@example.test>").hasPrefix("250"))
            #expect(try await lmtp.ask("RCPT TO:<nonsense").hasPrefix("501"))
            #expect(try await lmtp.ask("DATA").hasPrefix("354"))
            try await lmtp.send("Subject: x\r\n\r\n..dot\r\n.\r\nNOOP\r\n")
            for _ in 0..<2 { #expect(try await lmtp.line().hasPrefix("250 2.0.0 kept")) }
            // The next reply is that of the next command.
            #expect(try await lmtp.line().hasPrefix("250 2.0.0 Ok"))
            #expect(try await lmtp.ask("QUIT").hasPrefix("221"))
            for user in ["alice", "bob"] {
                #expect(
                    try await sandbox.letters(of: user).map(\.text)
                        == ["Subject: x\r\n\r\n.dot\r\n"])
            }
        }
    }
}
