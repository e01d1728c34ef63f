// Tests code that reads mail: puts messages into mailboxes, waits for what it does to them, and begins anew.
import Martlet
import MartletSandbox

/// The code under test.
nonisolated func markAllRead(in sandbox: Sandbox) async throws {
    var server = try IMAPServer(
        host: "localhost", port: sandbox.ports.imap ?? 0, security: .startTLS)
    server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
    server.credentials = Credentials(user: "bob") { Secret("any") }
    try await IMAPClient.withConnection(to: server) { imap in
        _ = try await imap.select(.inbox)
        let unread = try await imap.search(.not(.seen)).numbers ?? []
        try await imap.store(unread, .add([.seen]))
    }
}

let sandbox = try await Sandbox.start(.freePorts)

// What is there before the code under test begins.
try await sandbox.append(
    Array("From: ann@example.org\r\nSubject: Lunch?\r\n\r\nAt noon?\r\n".utf8), of: "bob",
    flags: [.flagged])

async let reading: Void = markAllRead(in: sandbox)

// What it is to do.
let inbox = try await sandbox.waitForMailbox(of: "bob", within: .seconds(5)) {
    $0.messages.first?.isSeen == true
}
precondition(inbox.messages[0].message.subject == "Lunch?")
precondition(inbox.messages[0].flags.contains(.flagged))
try await reading

// For the next test: no mail, the usual mailboxes, the faults of the configuration.
await sandbox.reset()
let emptied = await sandbox.mailbox(of: "bob")
precondition(emptied?.messages.isEmpty == true)

// What is to come by SMTP; when it does not, the error tells what did.
do {
    _ = try await sandbox.waitForMessage(to: "bob", within: .milliseconds(100)) {
        $0.message.subject == "Welcome"
    }
} catch let error as SandboxError {
    precondition(error.kind == .timedOut)
    print(error)
}
await sandbox.stop()
