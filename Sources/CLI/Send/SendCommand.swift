import MartletBytes
import MartletCommandLineParsing
import MartletMIME
import MartletSMTP
import MartletTransport

/// `martlet send`: one message through one server.
enum SendCommand: CommandRunner {
    static var definition: CommandDefinition {
        var send = CommandDefinition(name: "send", summary: "Send a message")
        send.synopses = [
            "--server HOST:PORT --from ADDRESS --to ADDRESS [options] [FILE]",
            "--server HOST:PORT --raw (--to ADDRESS | --read-recipients) [options] [FILE]",
        ]
        send.discussion = [
            "Composes a message from a text and files, or takes a ready one, and gives it to a "
                + "server. Names, subjects and file names may be in any language.",
            "A recipient that is refused does not keep the others from getting their copy.",
        ]
        send.groups = [
            ConnectionOptions.smtp.group,
            PasswordOptions.group,
            .init(
                "Message",
                [
                    SendOptions.from, SendOptions.to, SendOptions.cc, SendOptions.bcc,
                    SendOptions.subject, SendOptions.html, SendOptions.attach,
                    SendOptions.envelopeFrom,
                ]),
            .init("Ready messages", [SendOptions.raw, SendOptions.readsRecipients]),
            .init("Output", [SendOptions.json, ConnectionOptions.logsWire]),
        ]
        send.arguments = [SendOptions.body]
        send.exclusions = [PasswordOptions.sources]
        send.refused = [PasswordOptions.refused]
        send.examples = [
            .init(
                "Send a report with a file",
                """
                echo "Here it is." | martlet send --server mail.example.org:465 \\
                    --user alice --password-command "pass mail/alice" \\
                    --from alice@example.org --to bob@example.org \\
                    --subject "Übersicht" --attach report.pdf
                """),
            .init(
                "Send a ready message to everybody it names",
                """
                martlet send --server mail.example.org:587 --user alice \\
                    --password-file ~/.mail-password --raw --read-recipients message.eml
                """),
        ]
        send.exitStatuses = ExitStatus.allCases.rows
        return send
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let log = ConnectionOptions.wireLog(of: parsed, console)
        defer { log?.flush() }
        var interruption: Interruption?
        var result = SendResult(server: parsed[ConnectionOptions.smtp.server]?.description ?? "")
        do {
            var server = try SMTPServer(parsed, log: log)
            // Everything that can be wrong here is found before anybody is asked for a password.
            let mail = try await Mail(parsed, console)
            result.prepare(mail)
            try server.logIn(parsed)
            let ready = server
            // Only now: reading input may be interrupted as ever.
            let watch = Interruption()
            interruption = watch
            console.show(progress: "Connecting to \(server.host)…")
            result.report = try await watch.cancelling {
                try await deliver(mail, to: ready, console)
            }
        } catch let error as UsageError {
            throw error
        } catch {
            result.fail(with: error)
        }
        console.show(progress: "")
        result.signalNumber = interruption?.signalNumber
        let status = result.finish(parsed[SendOptions.json], console)
        if status == .interrupted, let number = interruption?.signalNumber {
            log?.flush()
            Interruption.die(of: number)
        }
        return status
    }

    private static func deliver(
        _ mail: Mail, to server: SMTPServer, _ console: Console
    ) async throws -> DeliveryReport {
        try await SMTPClient.withConnection(to: server) { client in
            try await mail.send(through: client) { progress in
                let percent = progress.octetsSent * 100 / max(progress.octetsTotal, 1)
                console.show(progress: "Sending \(sizeText(progress.octetsTotal)): \(percent) %")
            }
        }
    }
}

/// `25.3 MB`.
package func sizeText(_ octets: Int) -> String {
    switch octets {
    case ..<1_000: return "\(octets) octets"
    case ..<1_000_000: return "\(octets / 1_000) kB"
    default: return "\(octets / 1_000_000).\(octets / 100_000 % 10) MB"
    }
}
