// Sends a mail with a file, over STARTTLS with a verified certificate.
import Martlet

var server = try SMTPServer(host: "mail.example.org", port: 587)
server.credentials = Credentials(user: "jane") {  // asked when the server wants to know
    try Secret(octets: WholeFile.read("password", limitInOctets: 512).prefix { $0 != ASCII.lf })
}
let message = try OutgoingMessage(
    from: "Jane Doe <jane@example.org>", to: ["Bob <bob@example.org>"],
    subject: "Grüße aus Zürich", text: "Hello Bob,\nhere is the plan.",
    attachments: [Attachment(name: "Übersicht.pdf", content: FileSource(path: "plan.pdf"))])
let report = try await SMTPClient.withConnection(to: server) { try await $0.send(message) }
for refused in report.refused { print("\(refused.path) has no copy") }
