#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A message that is in a mailbox before a test begins.
public struct InitialMessage: Sendable {
    /// A flag that every IMAP server knows.
    public enum MessageFlag: String, Sendable, CaseIterable {
        case answered = "\\Answered"
        case deleted = "\\Deleted"
        case draft = "\\Draft"
        case flagged = "\\Flagged"
        case seen = "\\Seen"

        /// The letter for it in a Maildir file's name.
        var letter: Character {
            switch self {
            case .answered: "R"
            case .deleted: "T"
            case .draft: "D"
            case .flagged: "F"
            case .seen: "S"
            }
        }
    }

    /// The message, with CRLF line ends.
    public var octets: [UInt8]
    /// Whose it is.
    public var user: RealUser
    /// The mailbox, from the outermost name to the innermost, each of ASCII letters, digits, spaces, `-` and `_`; empty
    /// for INBOX. It is made if it is not there.
    public var mailbox: [String]
    /// Its flags.
    public var flags: Set<MessageFlag>
    /// INTERNALDATE, in seconds since 1970.
    public var date: Int

    /// A message for a mailbox.
    public init(
        _ octets: [UInt8], to user: RealUser = .alice, in mailbox: [String] = [],
        flags: Set<MessageFlag> = [], date: Int = 1_796_000_000
    ) {
        (self.octets, self.user, self.mailbox) = (octets, user, mailbox)
        (self.flags, self.date) = (flags, date)
    }

    /// The date as `APPEND` wants it. RFC 9051 §9, `date-time`.
    var dateTime: String {
        var seconds = time_t(date)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = (parts.tm_mday < 10 ? " " : "") + String(parts.tm_mday)
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day)-\(months[Int(parts.tm_mon)])-\(parts.tm_year + 1900) \(time) +0000"
    }

    /// Throws where a name would need an encoding, which differs between servers.
    func checkMailbox() throws {
        let isPlain = mailbox.allSatisfy { name in
            !name.isEmpty
                && name.utf8.allSatisfy { octet in
                    switch octet {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x5F: true
                    default: false
                    }
                }
        }
        guard isPlain else {
            throw RealServerFailure("A mailbox for initial messages cannot be called \(mailbox).")
        }
    }
}
