import MartletFiles
import MartletIMAPCore
import MartletTransport

/// What other programs do in the folder of mail while the sandbox runs.
extension MailSystem {
    /// How long after a change a folder's time may stay the same though more changes.
    private static let settlingInNanoseconds: Int64 = 100_000_000

    /// Takes up what became of a mailbox's folder: mail that was dropped in, flags in file names, files that are gone.
    func refresh(_ name: MailboxName, of address: String) {
        guard let maildir = keeper?.maildir(of: name, of: address), !isArriving(for: address),
            let mailbox = account(address)[name]
        else { return }
        let state = maildir.state()
        guard mailbox.folderState != state else { return }
        let now = WallClock.now
        let elapsed =
            now.secondsSinceEpoch * 1_000_000_000 + Int64(now.nanoseconds) - state.lastChange
        let news = FolderNews(maildir, mailbox)
        change(address, quietly: news.isEmpty) { account in
            account.change(name, quietly: news.isEmpty) { mailbox in
                mailbox.folderState = elapsed > Self.settlingInNanoseconds ? state : nil
            }
        }
        guard !news.isEmpty else { return }
        expunge(news.gone, from: name, of: address)
        change(address) { account in
            account.change(name) { mailbox in
                for (uid, file) in news.changed { mailbox.take(file, for: uid) }
            }
        }
        let strangers = news.strangers.map { message, size in
            ReadyMessage(
                content: MailContent(number: contentNumber(), sizeInOctets: size),
                flags: message.flags.imapFlags, date: maildir.internalDate(of: message),
                file: MailboxFile(message: message))
        }
        _ = try? insert(strangers, into: name, of: address)
    }

    /// A mailbox as it is now, whoever changed it.
    func currentMailbox(_ name: MailboxName, of address: String) -> Mailbox? {
        if keeper != nil, account(address)[name] == nil { refreshMailboxes(of: address) }
        refresh(name, of: address)
        return account(address)[name]
    }

    /// Takes up folders that other programs made or removed.
    func refreshMailboxes(of address: String) {
        guard let keeper, let kept = try? keeper.load(address) else { return }
        let account = account(address)
        let names = Set(kept.map(\.name))
        for (name, maildir) in kept where account[name] == nil {
            let mailbox = keptMailbox(name, maildir, keeper)
            change(address) { $0[name] = mailbox }
        }
        for name in account.mailboxes.keys where name != .inbox && !names.contains(name) {
            change(address) { $0[name] = nil }
        }
    }
}

/// How a folder differs from what is known of it.
private struct FolderNews {
    var gone = UIDSet()
    var changed: [(uid: UID, file: MaildirMessage)] = []
    var strangers: [(message: MaildirMessage, size: Int)] = []

    var isEmpty: Bool { gone.isEmpty && changed.isEmpty && strangers.isEmpty }

    init(_ maildir: Maildir, _ mailbox: Mailbox) {
        var files = maildir.messagesByKey()
        let missing = mailbox.messages.contains { $0.fileKey.map { files[$0] == nil } ?? false }
        // A file that is renamed while a folder is read may be in no list: it is gone when it is not in the next one.
        if missing { files.merge(maildir.messagesByKey()) { $1 } }
        var gone: [UID] = []
        for message in mailbox.messages {
            guard let key = message.fileKey else { continue }
            guard let file = files.removeValue(forKey: key) else {
                gone.append(message.uid)
                continue
            }
            if file != message.file?.message { changed.append((message.uid, file)) }
        }
        self.gone = UIDSet(gone)
        strangers = files.values.sorted { $0.name.text < $1.name.text }.compactMap { message in
            maildir.servedSize(of: message).map { (message, $0) }
        }
    }
}

extension MailEntry {
    /// What never changes of its file's name.
    fileprivate var fileKey: [UInt8]? { file?.message.name.key }
}

extension Mailbox {
    /// A message's file has another name: others moved it, or set flags.
    fileprivate mutating func take(_ file: MaildirMessage, for uid: UID) {
        guard let index = index(of: uid) else { return }
        let message = messages[index]
        setFile(MailboxFile(message: file), at: index)
        guard MaildirFlags(message.flags) != file.flags.intersection(.ofIMAP) else { return }
        let others = message.flags.filter { !MaildirFlags.ofIMAP.imapFlags.contains($0) }
        _ = setFlags(file.flags.imapFlags + others, at: index)
    }
}

extension MaildirFlags {
    /// Those that are flags of IMAP, too.
    fileprivate static let ofIMAP: MaildirFlags = [
        .seen, .replied, .flagged, .trashed, .draft, .passed,
    ]
}
