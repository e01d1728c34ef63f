// Sends a message that another program has composed to everybody it names, without its Bcc field.
import Martlet

let message = try await RawMessage(FileSource(path: "newsletter.eml"))
guard let author = message.originator else { fatalError("nobody is in From or Sender") }
let envelope = DeliveryEnvelope(
    reversePath: .mailbox(try PathMailbox(author)),
    forwardPaths: try message.recipients.mailboxes.map { ForwardPath(try PathMailbox($0)) })

// Port 465: TLS from the start.
let server = try SMTPServer(host: "mail.example.org", port: 465)
let report = try await SMTPClient.withConnection(to: server) { smtp in
    try await smtp.send(message.withoutBcc(), envelope: envelope) { progress in
        print("\(progress.octetsSent) of \(progress.octetsTotal) octets")
    }
}
print("\(report.accepted.count) of \(report.recipients.count) recipients have their copy.")
