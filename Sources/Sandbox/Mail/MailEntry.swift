import MartletBytes
import MartletCrypto
import MartletIMAPCore
import MartletMIME

/// A message in a mailbox. Several can share their octets.
struct MailEntry: Sendable {
    /// Its number in the mailbox, for ever.
    let uid: UID
    /// What it says, and who else has it.
    let content: MailContent
    /// When it arrived.
    let internalDate: MailDate
    /// When it came into this mailbox. RFC 8514.
    let saveDate: MailDate
    /// Flags and keywords, in the order in which they were set.
    var flags: [MessageFlag]
    /// When it changed last, in the mailbox's own time. RFC 7162.
    var modSeq: ModSequence
    /// Its file, where mailboxes are kept in a folder.
    var file: MailboxFile?

    /// Whether it has the flag.
    func has(_ flag: MessageFlag) -> Bool { flags.contains(flag) }
}

/// What a message says.
final class MailContent: Sendable {
    /// Counts up from 1, over all accounts.
    let number: Int
    /// How large it is.
    let sizeInOctets: Int
    /// Its octets; `nil` where they are in the file.
    let octets: [UInt8]?

    init(number: Int, octets: [UInt8]) {
        self.number = number
        sizeInOctets = octets.count
        self.octets = octets
    }

    /// One whose octets are in files only.
    init(number: Int, sizeInOctets: Int) {
        self.number = number
        self.sizeInOctets = sizeInOctets
        octets = nil
    }
}

extension ObjectID {
    /// The EMAILID of a message: the same for the same octets, today and tomorrow. RFC 8474 §5.1.
    init(ofMessage octets: [UInt8]) {
        let digest = (try? Digest.sha256.hash(octets)) ?? []
        self.init(
            "M" + digest.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
}
