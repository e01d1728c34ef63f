import MartletBytes
import MartletIMAPCore
import MartletMIME

/// What a Maildir cannot say of its mailbox: UIDs, keywords, dates. A text file beside the messages, a line each.
///
///     martlet 1 1796075237 B7 \Drafts
///     message 3 1796075300.M1P2.host 1796075300 60 1796075300
///     keywords 3 $Work $Junk
///     last 3
struct MailboxRecord: Sendable {
    /// A message's line.
    struct Entry: Sendable {
        var uid: UID
        /// The part of the file's name that never changes.
        var file: [UInt8]
        var internalDate: MailDate
        var saveDate: MailDate
        var keywords: [MessageFlag] = []
    }

    /// The name of the file.
    static let fileName = "martlet-mailbox"
    /// Octets of the file that are read, at most.
    static let sizeLimitInOctets = 1 << 30

    var uidValidity: UIDValidity
    var mailboxID: String
    var uses: [MailboxAttribute] = []
    var lastUID: UInt32 = 0
    var entries: [Entry] = []

    // MARK: Writing

    /// The first line.
    var head: [UInt8] {
        Self.line(
            ["martlet", "1", "\(uidValidity)", mailboxID] + uses.map(\.rawValue))
    }

    /// All lines.
    var octets: [UInt8] {
        var octets = head
        for entry in entries { octets += Self.line(of: entry) }
        return octets + Self.line(["last", "\(lastUID)"])
    }

    static func line(of entry: Entry) -> [UInt8] {
        let dates = [entry.internalDate, entry.saveDate].map {
            "\($0.secondsSinceEpoch) \($0.offsetInMinutes)"
        }
        var octets = Array("message \(entry.uid) ".utf8) + entry.file
        octets += Array(" \(dates[0]) \(dates[1])\n".utf8)
        if !entry.keywords.isEmpty { octets += line(ofKeywords: entry.keywords, entry.uid) }
        return octets
    }

    static func line(ofKeywords keywords: [MessageFlag], _ uid: UID) -> [UInt8] {
        line(["keywords", "\(uid)"] + keywords.map(\.rawValue))
    }

    private static func line(_ words: [String]) -> [UInt8] {
        Array(words.joined(separator: " ").utf8) + [ASCII.lf]
    }

    // MARK: Reading

    /// Reads the file; a last line that is not whole is passed over.
    ///
    /// - Returns: `nil` where the first line is none.
    init?(_ octets: [UInt8]) {
        let end = octets.lastIndex(of: ASCII.lf).map { $0 + 1 } ?? 0
        var lines = octets[..<end].split(separator: ASCII.lf).makeIterator()
        let head = lines.next()?.split(separator: ASCII.space).map(\.text) ?? []
        guard head.count >= 4, head[0] == "martlet", head[1] == "1",
            let validity = UInt32(head[2]), validity > 0
        else { return nil }
        uidValidity = UIDValidity(validity)
        mailboxID = head[3]
        uses = head[4...].map { MailboxAttribute($0) }
        var places: [UID: Int] = [:]
        while let line = lines.next() {
            let words = line.split(separator: ASCII.space)
            guard words.count >= 2, let number = UInt32(words[1].text) else { continue }
            switch words[0].text {
            case "message":
                guard let uid = UID(number), let entry = Self.entry(uid, words) else { continue }
                places[uid] = entries.count
                entries.append(entry)
                lastUID = max(lastUID, number)
            case "keywords":
                guard let place = UID(number).flatMap({ places[$0] }) else { continue }
                entries[place].keywords = words[2...].compactMap { MessageFlag($0.text) }
            case "last": lastUID = max(lastUID, number)
            default: continue
            }
        }
    }

    init(uidValidity: UIDValidity, mailboxID: String, uses: [MailboxAttribute]) {
        self.uidValidity = uidValidity
        self.mailboxID = mailboxID
        self.uses = uses
    }

    private static func entry(_ uid: UID, _ words: [ArraySlice<UInt8>]) -> Entry? {
        guard words.count == 7 else { return nil }
        let numbers = words[3...].compactMap { Int64($0.text) }
        guard numbers.count == 4 else { return nil }
        func date(_ place: Int) -> MailDate {
            MailDate(
                secondsSinceEpoch: numbers[place],
                offsetInMinutes: Int(clamping: numbers[place + 1]))
        }
        return Entry(
            uid: uid, file: Array(words[2]), internalDate: date(0), saveDate: date(2))
    }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
