// Unread mail of somebody, row by row as it comes. Edit the server and the user before it runs.
import MartletIMAP

@Sendable func password() async throws -> String { "change me" }

var server = try IMAPServer(host: "mail.example.org", port: 993)
server.credentials = Credentials(user: "ann") { Secret(try await password()) }

try await IMAPClient.withConnection(to: server) { imap in
    let inbox = try await imap.select(.inbox, readOnly: true)
    print(inbox.mailbox.messageCount, "messages")
    let recent = try await imap.search(.and([.not(.seen), .from("bob")])).numbers ?? []
    for try await row in imap.rows(recent, [.envelope, .flags]) {
        print(row.envelope?.subject ?? "(no subject)")
    }
}
