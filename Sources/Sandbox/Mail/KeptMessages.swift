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
        for entry in record?.entries ?? [] { entries[entry.file] = entry }
        var strangers: [(message: MaildirMessage, size: Int)] = []
        var listing = maildir.messages()
        while let message = try? listing.next() {
            guard let size = try? maildir.source(of: message).sizeInOctets else { continue }
            if let entry = entries[Array(message.name.unique)] {
                known.append((entry, message, size))
            } else {
                strangers.append((message, size))
            }
        }
        known.sort { $0.entry.uid < $1.entry.uid }
        let now = WallClock.now.mailDate
        for (message, size) in strangers.sorted(by: { $0.message.name.text < $1.message.name.text })
        {
            guard lastUID < .max, let uid = UID(lastUID + 1) else { return }
            lastUID += 1
            let entry = MailboxRecord.Entry(
                uid: uid, file: Array(message.name.unique), internalDate: now, saveDate: now)
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
