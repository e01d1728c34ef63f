import MartletBytes
import MartletFiles
import MartletIMAPCore
import MartletMIME

/// A message's file in the Maildir of its mailbox.
struct MailboxFile: Sendable {
    var message: MaildirMessage
}

/// Keeps mailboxes as Maildirs in the layout of Maildir++, which other programs can read: `DIR/alice@example.test/` is
/// alice's INBOX, `.Archive` in it her Archive. Names are in modified UTF-7. A file `martlet-mailbox` in each has what a
/// Maildir cannot say.
struct MaildirKeeper: Sendable {
    /// The folder that holds the accounts' folders.
    let root: String

    /// Octets of a message that are read, at most.
    static let messageLimitInOctets = 1 << 30

    /// Takes a folder, which is made where it is missing.
    init(root: String) throws(FileError) {
        self.root = root
        try Folder.make(root)
    }

    // MARK: Names

    /// A folder's name that leads nowhere else, whatever the address holds.
    static func folderName(of address: String) -> String {
        var name = ""
        for octet in address.utf8 {
            let isPlain =
                octet.isDigit || (0x61...0x7A).contains(octet)
                || "@+-_".utf8.contains(octet) || (octet == ASCII.dot && !name.isEmpty)
            if isPlain {
                name.unicodeScalars.append(Unicode.Scalar(octet))
            } else {
                name += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
            }
        }
        return String(name.prefix(200))
    }

    /// The address of such a folder; `nil` where it is none of ours.
    static func address(ofFolder name: String) -> String? {
        var octets: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "%") else {
                octets.append(octet)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            octets.append(value)
            rest = rest.dropFirst(2)
        }
        guard let address = String(validating: octets, as: UTF8.self), address.contains("@"),
            folderName(of: address) == name
        else { return nil }
        return address
    }

    private func path(of address: String) -> String { root + "/" + Self.folderName(of: address) }

    /// The name of a mailbox's folder; `nil` for INBOX.
    private func folder(of name: MailboxName) throws(MailProblem) -> MaildirFolderName? {
        guard name != .inbox else { return nil }
        let levels = String(decoding: name.encoded, as: UTF8.self)
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let folder = MaildirFolderName(components: levels) else {
            throw MailProblem(.cannot, "A name of a folder can have no dot, and up to 255 octets")
        }
        return folder
    }

    private func open(
        _ name: MailboxName, of address: String, creates: Bool = false
    ) throws(MailProblem) -> Maildir {
        let folder = try folder(of: name)
        do {
            let path = path(of: address)
            let inbox = creates ? try Maildir.create(path: path) : try Maildir(path: path)
            guard let folder else { return inbox }
            return creates ? try inbox.createSubfolder(folder) : try inbox.subfolder(folder)
        } catch {
            throw MailProblem(error)
        }
    }

    // MARK: Mailboxes

    /// The accounts that are there.
    func addresses() throws(FileError) -> [String] {
        try Folder.names(in: root).compactMap(Self.address(ofFolder:)).sorted()
    }

    /// The mailboxes of an account as an earlier run, or another program, left them.
    func load(_ address: String) throws(MailProblem) -> [(name: MailboxName, maildir: Maildir)] {
        guard Folder.exists(path(of: address)) else { return [] }
        do {
            let inbox = try Maildir(path: path(of: address))
            var found: [(MailboxName, Maildir)] = [(.inbox, inbox)]
            for folder in try inbox.subfolders() {
                let text = folder.components.joined(separator: "/")
                let name = MailboxName(wire: Array(text.utf8), isUTF8: false)
                if let checked = try? MailSystem.checked(name) {
                    found.append((checked, try inbox.subfolder(folder)))
                }
            }
            return found
        } catch {
            throw MailProblem(error)
        }
    }

    /// Makes a mailbox's folder with its record.
    func create(_ mailbox: Mailbox, of address: String) throws(MailProblem) {
        let maildir = try open(mailbox.name, of: address, creates: true)
        try write(mailbox, in: maildir)
    }

    /// Removes a mailbox's folder with all that is in it.
    func delete(_ name: MailboxName, of address: String) throws(MailProblem) {
        guard let folder = try folder(of: name) else { return }
        do {
            try Folder.remove(path(of: address) + "/" + folder.text)
        } catch {
            throw MailProblem(error)
        }
    }

    /// Gives a mailbox's folder another name.
    func rename(_ name: MailboxName, to newName: MailboxName, of address: String)
        throws(MailProblem)
    {
        guard let old = try folder(of: name), let new = try folder(of: newName) else { return }
        let path = path(of: address) + "/"
        do {
            try Folder.rename(path + old.text, to: path + new.text)
        } catch {
            throw MailProblem(error)
        }
    }

    // MARK: The record

    private static func recordPath(_ maildir: Maildir) -> String {
        maildir.path + "/" + MailboxRecord.fileName
    }

    /// The record of a folder; `nil` where there is none that can be read.
    func record(of maildir: Maildir) -> MailboxRecord? {
        let octets = try? WholeFile.read(
            Self.recordPath(maildir), limitInOctets: MailboxRecord.sizeLimitInOctets)
        return octets.flatMap { MailboxRecord($0) }
    }

    /// Writes the record anew.
    func write(_ mailbox: Mailbox, in maildir: Maildir) throws(MailProblem) {
        var record = MailboxRecord(
            uidValidity: mailbox.uidValidity, mailboxID: mailbox.mailboxID.rawValue,
            uses: mailbox.uses)
        record.lastUID = mailbox.lastUID
        record.entries = mailbox.messages.compactMap(Self.entry(of:))
        do throws(FileError) {
            try AtomicFile.write(record.octets, to: Self.recordPath(maildir))
        } catch {
            throw MailProblem(error)
        }
    }

    /// Writes the record of a mailbox anew whose UIDs are others.
    func rewrite(_ mailbox: Mailbox, of address: String) throws(MailProblem) {
        try write(mailbox, in: open(mailbox.name, of: address))
    }

    private static func entry(of message: MailEntry) -> MailboxRecord.Entry? {
        guard let file = message.file else { return nil }
        return MailboxRecord.Entry(
            uid: message.uid, file: Array(file.message.name.unique),
            internalDate: message.internalDate, saveDate: message.saveDate,
            keywords: message.flags.filter { !$0.isSystemFlag })
    }

    private func append(_ octets: [UInt8], to maildir: Maildir) throws(MailProblem) {
        do throws(FileError) {
            try JournalFile.append(octets, to: Self.recordPath(maildir))
        } catch {
            throw MailProblem(error)
        }
    }

    // MARK: Messages

    /// Puts a message's file into a mailbox's folder; its UID comes with `note`.
    func deliver(
        _ octets: [UInt8], flags: [MessageFlag], to name: MailboxName, of address: String
    ) async throws(MailProblem) -> MailboxFile {
        let maildir = try open(name, of: address, creates: true)
        do {
            let message = try await maildir.deliver(
                OctetArray(octets), flags: MaildirFlags(flags), forcingToDisk: false)
            return MailboxFile(message: message)
        } catch {
            throw MailProblem(error)
        }
    }

    /// Notes the UIDs of new messages.
    func note(_ messages: [MailEntry], in name: MailboxName, of address: String)
        throws(MailProblem)
    {
        let maildir = try open(name, of: address)
        try append(
            messages.compactMap(Self.entry(of:)).flatMap(MailboxRecord.line(of:)), to: maildir)
    }

    /// Sets a message's flags in its file's name, and its keywords in the record.
    func setFlags(
        of message: MailEntry, in name: MailboxName, of address: String
    ) throws(MailProblem) -> MailboxFile? {
        guard let file = message.file else { return nil }
        let maildir = try open(name, of: address)
        let renamed: MaildirMessage
        do throws(FileError) {
            renamed = try maildir.set(MaildirFlags(message.flags), of: file.message)
        } catch {
            throw MailProblem(error)
        }
        let keywords = message.flags.filter { !$0.isSystemFlag }
        try append(MailboxRecord.line(ofKeywords: keywords, message.uid), to: maildir)
        return MailboxFile(message: renamed)
    }

    /// A mailbox's folder as it is now; `nil` where it cannot be opened.
    func maildir(of name: MailboxName, of address: String) -> Maildir? {
        try? open(name, of: address)
    }

    /// Removes a message's file; one that is gone already is no failure.
    func remove(_ message: MailEntry, from name: MailboxName, of address: String) {
        guard let file = message.file, let maildir = try? open(name, of: address) else { return }
        try? maildir.remove(file.message)
    }

    /// A message's octets; `nil` where its file is gone.
    func octets(of message: MailEntry, in name: MailboxName, of address: String) -> [UInt8]? {
        guard let file = message.file, let maildir = try? open(name, of: address),
            let octets = try? maildir.octets(
                of: file.message, limitInOctets: Self.messageLimitInOctets)
        else { return nil }
        return LineEnds.served(octets.withUnsafeBytes { Array($0) })
    }
}

extension MaildirFlags {
    init(_ flags: [MessageFlag]) {
        self = []
        if flags.contains(.seen) { insert(.seen) }
        if flags.contains(.answered) { insert(.replied) }
        if flags.contains(.flagged) { insert(.flagged) }
        if flags.contains(.deleted) { insert(.trashed) }
        if flags.contains(.draft) { insert(.draft) }
        if flags.contains(.forwarded) { insert(.passed) }
    }

    /// As flags of IMAP.
    var imapFlags: [MessageFlag] {
        let pairs: [(MaildirFlags, MessageFlag)] = [
            (.seen, .seen), (.replied, .answered), (.flagged, .flagged), (.trashed, .deleted),
            (.draft, .draft), (.passed, .forwarded),
        ]
        return pairs.filter { contains($0.0) }.map(\.1)
    }
}

extension MailProblem {
    /// What a file that cannot be read or written means.
    init(_ error: any Error) {
        self.init((error as? FileError)?.kind == .noSpace ? .overQuota : .unavailable, "\(error)")
    }
}
