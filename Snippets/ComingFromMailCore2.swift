// Every operation of a MailCore2 session, as a call of this package. Edit the server before it runs.
import MartletIMAP

let imap = IMAPClient(try IMAPServer(host: "mail.example.org", port: 993))
let archive = try MailboxName("Archive")
let uid = UID(1)!
let uids = UIDSet(uid)
let message = OctetArray(Array("Subject: hello\r\n\r\nHello.\r\n".utf8))

try await imap.connect()
let folders = try await imap.mailboxes(status: [.messages, .unseen])
let subscribed = try await imap.mailboxes(subscribedOnly: true)
let inbox = try await imap.select(.inbox)
let status = try await imap.status(of: archive)
try await imap.create(archive, uses: [.archive])
try await imap.rename(archive, to: MailboxName("Old"))
try await imap.delete(MailboxName("Old"))
try await imap.subscribe(archive)
try await imap.unsubscribe(archive)
try await imap.append(message, to: .inbox, flags: [.seen])
let copies = try await imap.copy(uids, to: archive)
let moves = try await imap.move(uids, to: archive)
try await imap.store(uids, .add([.flagged]))
try await imap.store(uids, .labels(.add, [GmailLabel("Later")]))
try await imap.expunge()
let rows = try await imap.fetch(uids, [.envelope, .flags, .bodyStructure]).rows
let first = try await imap.fetch(SequenceSet(SequenceNumber(1)!), [.envelope]).rows
let whole = try await imap.message(uid)
let attachment = try await imap.body(of: uid, PartNumber("2")!)
let unread = try await imap.search(.not(.seen)).numbers
let wanted = try await imap.search(.or([.from("ann"), .subject("plan")])).numbers
let namespaces = try await imap.namespaces()
let quota = try await imap.quota()
let identity = try await imap.serverIdentity()
let answer = try await imap.run(IMAP.RawCommand("XLIST \"\" *"))
for try await change in imap.watch(.inbox) { print(change) }
await imap.close()

print(folders, subscribed, inbox, status, copies, moves, rows, first, whole, attachment)
print(unread as Any, wanted as Any, namespaces as Any, quota, identity as Any, answer)
