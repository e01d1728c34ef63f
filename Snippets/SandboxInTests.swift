// Tests the mail of an app without a mail server: a sandbox in the test's own process takes it.
import Martlet
import MartletSandbox

var configuration = Sandbox.Configuration()
configuration.smtpPort = 0  // any free port
configuration.smtpsPort = 0
configuration.users = ["app": Secret("correct")]
let sandbox = try await Sandbox.start(configuration)

var server = try SMTPServer(host: "localhost", port: sandbox.smtpPort, security: .startTLS)
server.tls.trust = .certificateAuthorities(pem: sandbox.certificateAuthorityPEM)
server.credentials = Credentials(user: "app") { Secret("correct") }
let message = try OutgoingMessage(
    from: "app@example.test", to: ["bob@example.test"], subject: "Welcome, Bob 🐦", text: "Hello!")
let report = try await SMTPClient.withConnection(to: server) { try await $0.send(message) }

precondition(report.allAccepted)
let arrived = await sandbox.messages(of: "bob@example.test")
precondition(arrived.count == 1)
precondition(arrived[0].user == "app@example.test" && arrived[0].tlsVersion == .tls13)
print(String(decoding: arrived[0].octets, as: UTF8.self))
await sandbox.stop()
