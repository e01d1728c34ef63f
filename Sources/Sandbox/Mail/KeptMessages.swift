import MartletFiles
import MartletIMAPCore
import MartletMIME
import MartletTransport

/// The messages of a Maildir, with the UIDs that its record gives them.
struct KeptMessages {
    /// The largest UID that was ever given.
    private(set) var lastUID: UInt32
    private var known: [(entry: MailboxRecord.Entry, message: MaildirMessage, size: Int)] = []

    /// Lists a folder. Files that the record does not know get UIDs behind all others, in the order of their names.
    init(_ maildir: Maildir, _ record: MailboxRecord?) {
        lastUID = record?.lastUID ?? 0
        var entries: [[UInt8]: MailboxRecord.Entry] = [:]
        for entry in record?.entries ?? [] { entries[MaildirName.key(entry.file)] = entry }
        var strangers: [MaildirMessage] = []
        for (key, message) in maildir.messagesByKey() {
            guard let entry = entries[key] else {
                strangers.append(message)
                continue
            }
            guard let size = maildir.servedSize(of: message) else { continue }
            known.append((entry, message, size))
        }
        known.sort { $0.entry.uid < $1.entry.uid }
        for message in strangers.sorted(by: { $0.name.text < $1.name.text }) {
            guard let size = maildir.servedSize(of: message) else { continue }
            guard lastUID < .max, let uid = UID(lastUID + 1) else { return }
            lastUID += 1
            let entry = MailboxRecord.Entry(
                uid: uid, file: Array(message.name.unique),
                internalDate: maildir.internalDate(of: message), saveDate: WallClock.now.mailDate)
            known.append((entry, message, size))
        }
    }

    /// The messages as entries of a mailbox.
    func entries(modSeq: ModSequence, number: () -> Int) -> [MailEntry] {
        known.map { entry, message, size in
            let flags = message.flags.imapFlags
            return MailEntry(
                uid: entry.uid, content: MailContent(number: number(), sizeInOctets: size),
                internalDate: entry.internalDate, saveDate: entry.saveDate,
                flags: flags + entry.keywords.filter { !flags.contains($0) }, modSeq: modSeq,
                file: MailboxFile(message: message))
        }
    }
}

extension MaildirName {
    /// What no program changes: of the part before the flags, what stands before sizes and numbers (`,S=`, `,U=`), which
    /// mbsync adds and takes away.
    var key: [UInt8] { Self.key(unique) }

    static func key(_ unique: some Collection<UInt8>) -> [UInt8] {
        Array(unique.prefix { $0 != UInt8(ascii: ",") })
    }
}

extension Maildir {
    /// All messages by what never changes of their names. One that is there twice, as a program moves it, counts once.
    func messagesByKey() -> [[UInt8]: MaildirMessage] {
        var found: [[UInt8]: MaildirMessage] = [:]
        var listing = messages()
        while let message = try? listing.next() { found[message.name.key] = message }
        return found
    }

    /// How large a message is with CRLF line ends; `nil` where it cannot be read.
    func servedSize(of message: MaildirMessage) -> Int? {
        guard
            let octets = try? octets(of: message, limitInOctets: MaildirKeeper.messageLimitInOctets)
        else { return nil }
        return octets.withUnsafeBytes { LineEnds.servedSize(of: $0) }
    }

    /// When it came.
    func internalDate(of message: MaildirMessage) -> MailDate {
        (try? arrival(of: message)).map { MailDate(secondsSinceEpoch: $0, offsetInMinutes: 0) }
            ?? WallClock.now.mailDate
    }
}
