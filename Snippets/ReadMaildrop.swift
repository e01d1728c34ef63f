// Fetches what is new from a POP3 server, and deletes there what was fetched a month ago. Edit the server before it runs.
import Martlet

@Sendable func password() async throws -> String { "change me" }

let memory = "seen-messages"
let now = WallClock.now.secondsSinceEpoch

var server = try POP3Server(host: "mail.example.org", port: 995)
server.credentials = Credentials(user: "ann") { Secret(try await password()) }

// The first time there is no file. One that cannot be read, or is damaged, is an error that says what to do.
var seen = SeenMessages()
do {
    let limit = SeenMessages.fileLimitInOctets
    seen = try SeenMessages(file: WholeFile.read(memory, limitInOctets: limit))
} catch let error as FileError where error.kind == .notFound {}
let policy = RetentionPolicy(.deleteAfter(days: 30))

try await POP3Client.withConnection(to: server) { pop in
    let listed = try await pop.messages(substitutingIDs: true)
    let new = policy.plan(listed, seen: seen, at: now).fetch
    let ids = Dictionary(uniqueKeysWithValues: new.map { ($0.number, $0.uniqueID) })
    try await pop.retrieve(new.map(\.number)) { message in
        guard message.refusal == nil, let id = ids[message.number] ?? nil else { return }
        try AtomicFile.write(message.octets, to: "message-\(now)-\(message.number).eml")
        seen.wasFetched(id, at: now)
    }
    let old = policy.plan(listed, seen: seen, at: now).delete
    try await pop.delete(old.map(\.number))
    seen.wereListed(listed, at: now, by: policy)
    // Before the goodbye: what is deleted there must be known here.
    try AtomicFile.write(seen.file, to: memory)
}
