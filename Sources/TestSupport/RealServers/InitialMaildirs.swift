#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes Maildirs for a server that has not started.
struct InitialMaildirs {
    /// The server's folder.
    let folder: String
    private var made: Set<String> = []
    private var count = 0

    init(in folder: String) { self.folder = folder }

    /// Writes messages; UIDs will follow their order.
    mutating func write(_ messages: [InitialMessage]) throws {
        for message in messages { try write(message) }
    }

    private mutating func write(_ message: InitialMessage) throws {
        try message.checkMailbox()
        let box = makeFolder(for: message)
        // Servers go by the number at the front, then by the text: each file gets a second of its own.
        count += 1
        let letters = String(message.flags.map(\.letter).sorted())
        let path = "\(box)/cur/\(1_000_000_000 + count).M1P1.martlet:2,\(letters)"
        try MartletTestSupport.write(message.octets.filter { $0 != 0x0D }, toFile: path)
        let time = timeval(tv_sec: time_t(message.date), tv_usec: 0)
        guard utimes(path, [time, time]) == 0 else { throw SystemFailure("\(path) has no date") }
    }

    private mutating func makeFolder(for message: InitialMessage) -> String {
        let user = "\(folder)/mail/\(message.user.name)"
        let maildir = user + "/Maildir"
        for path in [folder + "/mail", user] where made.insert(path).inserted {
            mkdir(path, 0o755)
        }
        makeMaildir(maildir)
        guard !message.mailbox.isEmpty else { return maildir }
        let box = maildir + "/." + message.mailbox.joined(separator: ".")
        makeMaildir(box)
        return box
    }

    private mutating func makeMaildir(_ path: String) {
        guard made.insert(path).inserted else { return }
        for part in ["", "/cur", "/new", "/tmp"] { mkdir(path + part, 0o700) }
    }
}
