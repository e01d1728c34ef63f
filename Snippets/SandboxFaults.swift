// Makes a mail server go wrong on purpose, and sees what sending makes of it.
import Martlet
import MartletSandbox

var configuration = Sandbox.Configuration.freePorts
configuration.faults = [
    Sandbox.Fault(.reply("450 4.7.1 Greylisted"), at: "RCPT", recipient: "*@example.org", times: 1)
]
let sandbox = try await Sandbox.start(configuration)

func send(to recipient: String) async throws -> DeliveryReport {
    var server = try SMTPServer(host: "localhost", port: sandbox.smtpPort, security: .startTLS)
    server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
    let message = try OutgoingMessage(
        from: "app@example.test", to: [recipient], subject: "Hello", text: "Hello!")
    return try await SMTPClient.withConnection(to: server) { try await $0.send(message) }
}

// The script: the first try is refused for a while, the second is taken.
do {
    _ = try await send(to: "bob@example.org")
    preconditionFailure("it was taken")
} catch let error as SMTPError {
    precondition(error.reply?.code == 450)
}
let second = try await send(to: "bob@example.org")
precondition(second.allAccepted)
precondition(sandbox.faults[0].strikes == 1)

// An address that asks for what it gets.
do {
    _ = try await send(to: "bounce-550@example.test")
    preconditionFailure("it was taken")
} catch let error as SMTPError {
    precondition(error.recovery == .fixInput)
}

// While it runs: the message is taken, but the reply to its last dot never comes.
try sandbox.setFaults([Sandbox.Fault(.drop(.beforeReply), at: "dot", times: 1)])
_ = try? await send(to: "carol@example.test")
let arrived = try await sandbox.waitForMessage(to: "carol", within: .seconds(5))
precondition(arrived.message.subject == "Hello")
await sandbox.stop()
