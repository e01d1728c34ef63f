// Answers everybody: recipients, subject, references and the quotation follow from the message.
import Martlet

let message = Message(parsing: Octets(try MappedFile(path: "message.eml")))
let answer = OutgoingMessage.reply(
    to: message, audience: .everyone, from: try MailboxAddress("Bob <bob@example.org>"),
    text: "Fine, see you on Monday.")
let server = try SMTPServer(host: "mail.example.org", port: 587)
let report = try await SMTPClient.withConnection(to: server) { try await $0.send(answer) }
print(report.allAccepted)
