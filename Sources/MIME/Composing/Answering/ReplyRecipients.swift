import MartletBytes

/// Who gets an answer.
public enum ReplyAudience: Hashable, Sendable {
    /// Who wrote the message, or whom it asks to answer instead.
    case sender
    /// Everybody who got it too.
    case everyone
    /// The mailing list it came by; everybody, where it came by none that takes mail.
    case list
}

/// The recipients of an answer, from the fields of the message that is answered.
///
/// `Reply-To` counts before `From` (RFC 5322 §3.6.3). `Mail-Reply-To` and `Mail-Followup-To`, which mailing
/// lists' readers use, count before both: for the sender and for everybody. `List-Post` (RFC 2369 §3.4) tells
/// the list; a `Reply-To` of nothing but the list, which lists put there, does not make an answer to the
/// sender public.
struct ReplyRecipients {
    private(set) var to: [MailboxAddress] = []
    private(set) var cc: [MailboxAddress] = []

    init(of message: Part, audience: ReplyAudience, own: [MailboxAddress]) {
        let own = Set(own.map(Self.key))
        let list = Self.listAddress(of: message)
        let author = Self.author(of: message, list: list, own: own)
        switch audience {
        case .list where list != nil:
            to = list.map { [$0] } ?? []
        case .list, .everyone:
            let followUp = message.addresses(of: "Mail-Followup-To").mailboxes
            if !followUp.isEmpty {
                to = followUp
            } else {
                to = author
                // Everybody is the list too, where it says so itself, whatever address it came by.
                cc =
                    message.to.mailboxes + message.cc.mailboxes
                    + message.replyTo.mailboxes.filter { Self.isSame($0, list) }
            }
        case .sender:
            to = author
        }
        var seen = own
        let everybody = to
        to = to.filter { seen.insert(Self.key($0)).inserted }
        cc = cc.filter { seen.insert(Self.key($0)).inserted }
        if to.isEmpty { (to, cc) = (cc, []) }
        // Mail to oneself is answered to oneself.
        if to.isEmpty {
            seen = []
            to = everybody.filter { seen.insert(Self.key($0)).inserted }
        }
    }

    /// Whom the message asks to answer. An answer to an own message goes to those it went to.
    private static func author(
        of message: Part, list: MailboxAddress?, own: Set<String>
    ) -> [MailboxAddress] {
        let from = message.from.mailboxes
        let isOwn = !from.isEmpty && from.allSatisfy { own.contains(key($0)) }
        if isOwn, !message.to.mailboxes.isEmpty { return message.to.mailboxes }
        let mailReplyTo = message.addresses(of: "Mail-Reply-To").mailboxes
        if !mailReplyTo.isEmpty { return mailReplyTo }
        let replyTo = message.replyTo.mailboxes
        let isListOnly = replyTo.allSatisfy { isSame($0, list) }
        if !replyTo.isEmpty, !isListOnly { return replyTo }
        return from.isEmpty ? message.sender.mailboxes : from
    }

    /// The address to post to, from the first `mailto` of `List-Post`.
    private static func listAddress(of message: Part) -> MailboxAddress? {
        guard let field = message.header["List-Post"] else { return nil }
        let entries = ListURIs.parse(field.rawValue).value.entries
        guard let link = entries.first(where: { $0.scheme == "mailto" }) else { return nil }
        let address = link.uri.dropFirst("mailto:".count).prefix { $0 != "?" }
        return try? MailboxAddress(String(address).percentDecoded)
    }

    private static func isSame(_ mailbox: MailboxAddress, _ list: MailboxAddress?) -> Bool {
        list.map { key($0) == key(mailbox) } ?? false
    }

    /// Addresses that differ in nothing but case are one person's.
    private static func key(_ mailbox: MailboxAddress) -> String {
        mailbox.localPart.lowercased() + "@" + mailbox.domain.lowercased()
    }
}
