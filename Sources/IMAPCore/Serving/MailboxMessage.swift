import MartletMIME

/// A message in a mailbox, as searches, orders and threads ask about it.
package protocol MailboxMessage {
    /// Its place in the mailbox.
    var number: SequenceNumber { get }
    /// Its UID.
    var uid: UID { get }
    /// Its flags and keywords.
    var flags: [MessageFlag] { get }
    /// Whether it is new to this session. RFC 3501 §2.3.2.
    var isRecent: Bool { get }
    /// When it arrived.
    var internalDate: MailDate { get }
    /// Its octets.
    var sizeInOctets: UInt64 { get }
    /// When it or its flags changed last.
    var modSeq: ModSequence { get }
    /// When it came into this mailbox, if that is known. RFC 8514.
    var saveDate: MailDate? { get }
    /// RFC 8474.
    var emailID: ObjectID? { get }
    /// RFC 8474.
    var threadID: ObjectID? { get }
    /// What it is: asked for once, and only where nothing else tells.
    var contents: ServedMessage { get }
}

extension MailDate {
    /// The day that the clock showed, in days since 1 Jan 1970.
    var localDay: Int {
        let local = secondsSinceEpoch + Int64(offsetInMinutes) * 60
        return Int((local - (local % 86_400 + 86_400) % 86_400) / 86_400)
    }
}

extension CalendarDate {
    /// In days since 1 Jan 1970; days before 1601 are all the same, and before those of any message.
    var daysSinceEpoch: Int {
        year > 1_600
            ? MailDate.daysSinceEpoch(year: year, month: month, day: day) : -1_000_000
    }
}
