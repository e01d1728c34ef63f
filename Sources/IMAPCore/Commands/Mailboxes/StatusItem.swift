import MartletBytes

/// What can be asked about a mailbox that is not selected. RFC 9051 §6.3.11.
public enum StatusItem: String, Hashable, Sendable, CaseIterable {
    /// The number of messages.
    case messages = "MESSAGES"
    /// Those that no other session has seen. Gone from IMAP4rev2.
    case recent = "RECENT"
    /// The UID that the next message will have, or a larger one.
    case uidNext = "UIDNEXT"
    /// Whether known UIDs are still valid.
    case uidValidity = "UIDVALIDITY"
    /// Those without `\Seen`.
    case unseen = "UNSEEN"
    /// Those with `\Deleted`. IMAP4rev2; RFC 9208 §4.1.4.
    case deleted = "DELETED"
    /// The octets of all messages. IMAP4rev2, RFC 8438.
    case size = "SIZE"
    /// The octets that would be free if messages with `\Deleted` went. RFC 9208 §4.1.4.
    case deletedStorage = "DELETED-STORAGE"
    /// The highest mod-sequence. RFC 7162 §3.1.7.
    case highestModSeq = "HIGHESTMODSEQ"
    /// The lasting identifier. RFC 8474 §4.3.
    case mailboxID = "MAILBOXID"
    /// How large a message to be appended may be. RFC 7889 §3.1.
    case appendLimit = "APPENDLIMIT"
    /// Yahoo's own highest mod-sequence.
    case yahooHighestModSeq = "XYMHIGHESTMODSEQ"

    /// The capabilities any of which brings it; `nil` where each server knows it.
    private var capabilities: [Capability]? {
        switch self {
        case .messages, .recent, .uidNext, .uidValidity, .unseen: nil
        // RFC 9208 §4.1.4 has DELETED, too.
        case .deleted: [.statusDeleted, Capability("QUOTA=RES-MESSAGE")]
        case .size: [.statusSize]
        case .deletedStorage: [Capability("QUOTA=RES-STORAGE")]
        case .highestModSeq: [.condStore]
        case .mailboxID: [.objectID]
        case .appendLimit: [.appendLimit]
        case .yahooHighestModSeq: [Capability("XYMHIGHESTMODSEQ")]
        }
    }

    /// Whether a server knows it.
    package func isOffered(by offered: Capabilities) -> Bool {
        // RFC 7889 §3.1: a limit in the capability is that of all mailboxes, and none may be asked for.
        if self == .appendLimit, offered.appendLimitInOctets != nil { return false }
        return capabilities?.contains(where: offered.has) ?? true
    }

    /// What to name where it is missing.
    var missing: Capability { capabilities?.first ?? Capability(rawValue) }
}

extension CommandEncoder {
    /// `(MESSAGES UIDNEXT)`, in the order of the cases.
    ///
    /// - Throws: `.invalidInput` for none, `.unsupported` for one that the server does not know.
    mutating func statusItems(_ items: Set<StatusItem>) throws(IMAPError) {
        guard !items.isEmpty else { throw .invalidInput("STATUS needs something to ask for") }
        try list(StatusItem.allCases.filter(items.contains)) { encoder, item throws(IMAPError) in
            guard item.isOffered(by: encoder.capabilities) else {
                throw IMAPError(kind: .unsupported(item.missing))
            }
            encoder.raw(item.rawValue.utf8)
        }
    }
}
