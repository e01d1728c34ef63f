import MartletBytes
import MartletCommandLineParsing
import MartletPOP3

/// `martlet pop3 raw`: POP3 by hand, with TLS and login done.
enum POP3RawCommand: CommandRunner {
    static var definition: CommandDefinition {
        var raw = CommandDefinition(name: "raw", summary: "Talk to a POP3 server by hand")
        raw.discussion = [
            "Connects, starts TLS, and logs in if there is --user. Then each line of standard input is sent "
                + "as a command and the answer is printed, with its dots undone. It ends with QUIT, with the "
                + "input, or when the server closes; only QUIT lets deletions come into force.",
            "After a + to AUTH what you type is not shown. In a pipe each command waits for the answer to "
                + "the one before.",
        ]
        raw.groups = [
            ConnectionOptions.pop3.group, PasswordOptions.group,
            .init("Output", [ConnectionOptions.logsWire]),
        ]
        raw.exclusions = [PasswordOptions.sources]
        raw.refused = [PasswordOptions.refused]
        raw.examples = [
            .init(
                "See the start of a message",
                """
                printf '%s\\n' 'STAT' 'TOP 1 5' QUIT |
                    martlet pop3 raw --server mail.example.org:995 --user alice \\
                        --password-file ~/.mail-password
                """)
        ]
        raw.exitStatuses = ExitStatus.ofIMAP.rows(
            meaning: [
                .success:
                    "The conversation ended as it was asked to, whatever the server answered.",
                .badData: "A line could not be sent.",
            ])
        return raw
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var server = try POP3Server(parsed, log: log)
        try server.logIn(parsed)
        let client = POP3Client(server)
        do {
            try await client.connect()
            if let greeting = await client.greeting {
                show(line(greeting.reply), console)
            }
            let status = try await talk(client, console)
            await client.abandon()
            return status
        } catch {
            await client.abandon()
            throw error
        }
    }

    private static func talk(
        _ client: POP3Client, _ console: Console
    ) async throws -> ExitStatus {
        var lines = LineInput().lines()
        var status = ExitStatus.success
        var isChallenged = false
        while let line = await nextLine(&lines, isHidden: isChallenged, console) {
            guard let text = String(validating: line, as: UTF8.self) else {
                console.remark("That line is not in UTF-8; it was not sent.")
                status = .badData
                continue
            }
            let command: POP3.RawCommand
            do throws(POP3Error) {
                command = try POP3.RawCommand(text, isAuthenticationResponse: isChallenged)
            } catch {
                console.remark("\(error.description) It was not sent.")
                status = .badData
                continue
            }
            guard command.name != "STLS" else {
                console.remark(
                    "STLS is for --tls starttls: it comes before everything else. It was not sent.")
                status = .badData
                continue
            }
            let reply = try await carryOut(command, text, client, console)
            isChallenged = reply?.status == .challenge
            if command.name == "QUIT" { break }
        }
        return status
    }

    private static func carryOut(
        _ command: POP3.RawCommand, _ text: String, _ client: POP3Client, _ console: Console
    ) async throws -> POP3Reply? {
        let words = text.split(separator: " ")
        guard command.answer == .message, words.count > 1, let number = Int(words[1]) else {
            let reply = try await client.run(command)
            show(line(reply) + reply.body, console)
            return reply
        }
        let bodyLines = command.name == "TOP" ? (words.count > 2 ? Int(words[2]) ?? 0 : 0) : nil
        try await client.download([number], bodyLines: bodyLines) { (piece) async throws in
            switch piece {
            case .begins: console.output("+OK")
            case .octets(let octets): show(Array(octets), console)
            case .refused(_, let reply): show(line(reply), console)
            case .ends: break
            }
        }
        return nil
    }

    /// A reply's first line as it came.
    private static func line(_ reply: POP3Reply) -> [UInt8] {
        var octets: [UInt8] = []
        reply.encode(into: &octets)
        return octets.filter { $0 != ASCII.cr }
    }

    /// As it came; on a terminal without what could move its cursor.
    private static func show(_ octets: [UInt8], _ console: Console) {
        guard console.isShown else { return console.output(octets: octets) }
        let text = String(decoding: octets.filter { $0 != ASCII.cr }, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        console.output(text: lines.map { Console.printable(String($0)) }.joined(separator: "\n"))
    }

    /// A line of the input, or one that is typed unseen.
    private static func nextLine(
        _ lines: inout LineInput.Lines, isHidden: Bool, _ console: Console
    ) async -> [UInt8]? {
        guard isHidden, console.isTyped else { return await lines.next() }
        guard case .secret(let secret) = HiddenInput.ask("(not shown) ") else { return nil }
        return secret.withOctets { [UInt8]($0) }
    }
}
