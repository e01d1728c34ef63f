// Every operation of a MailCore2 POP session, as a call of this package. Edit the server before it runs.
import MartletPOP3

let pop = POP3Client(try POP3Server(host: "mail.example.org", port: 995))

try await pop.connect()
let listed = try await pop.messages()
let header = try await pop.header(of: 1)
let octets = try await pop.octets(of: 1)
let message = try await pop.message(1)
let refused = try await pop.delete([1, 2])
try await pop.noop()
try await pop.disconnect()

print(listed, header.count, octets.count, message.subject ?? "", refused)
