import MartletBytes

/// Reads reports that programs wrote for people: qmail, Exim, old sendmail and the like.
struct BounceWords {
    /// Whether it is a report about a message that was not delivered.
    let isBounce: Bool
    /// Whether delivery is only late.
    let isDelay: Bool
    private let text: String
    private let limits: MIMELimits

    /// How much text is looked at, in octets.
    private static let sizeLimit = 64 * 1024
    /// How many recipients are looked for.
    private static let recipientLimit = 1_000

    init(in message: Message) {
        let root = message.root
        limits = root.table.limits
        let subject = (root.subject ?? "").lowercased()
        let isFromSystem = Self.isNullPath(root) || Self.isSystem(root.from)
        // Of texts that no machine sent nothing more is read.
        let body = isFromSystem ? root.readableText() ?? "" : ""
        text = String(decoding: body.utf8.prefix(Self.sizeLimit), as: UTF8.self)
        let start = String(decoding: text.utf8.prefix(1_000), as: UTF8.self).lowercased()
        let says =
            Self.subjects.contains { subject.contains($0) }
            || Self.beginnings.contains { start.contains($0) }
        isBounce = isFromSystem && says
        isDelay =
            Self.delays.contains { subject.contains($0) } || start.contains("will be retried")
            || start.contains("this is a warning message only")
    }

    private static func isNullPath(_ root: Part) -> Bool {
        guard let field = root.header["Return-Path"] else { return false }
        return ReturnPath.parse(field.rawValue).value == .null
    }

    private static func isSystem(_ from: AddressList) -> Bool {
        let names =
            from.mailboxes.flatMap { [$0.localPart, $0.displayName ?? ""] }
            + from.invalidEntries.flatMap {
                [$0.address ?? "", $0.displayName ?? "", $0.description]
            }
        return names.contains { name in
            let name = name.lowercased()
            return systems.contains { name.hasPrefix($0) }
        }
    }

    private static let systems = [
        "mailer-daemon", "mailer daemon", "mail-daemon", "mail delivery", "mdaemon", "postmaster",
        "mail administrator", "system administrator", "microsoft outlook", "<mailer-daemon",
    ]
    private static let subjects = [
        "undeliverable", "undelivered mail", "returned mail", "returned to sender",
        "mail delivery failed", "mail delivery failure", "message delivery failure",
        "delivery status notification", "delivery failure", "delivery error",
        "delivery has failed", "delivery report", "delivery notification", "delivery failed",
        "failure notice", "failure delivery", "mail system error", "could not be delivered",
        "could not send message", "nondeliverable", "non-delivery", "not delivered",
        "message delayed", "delivery delayed", "mail failure", "unzustellbar", "nicht zugestellt",
        "non remis", "non-remis", "non délivré", "no se puede entregar", "no entregado",
        "não entregue", "mancato recapito", "onbestelbaar", "недоставлен", "не доставлен",
        "配信不能", "无法投递", "退信",
    ]
    private static let beginnings = [
        "this is the qmail-send program",
        "this message was created automatically by mail delivery software",
        "this is the mail system at host", "a message that you sent could not be delivered",
        "i'm sorry to have to inform you that your message could not be delivered",
        "i wasn't able to deliver your message",
        "the following addresses had permanent fatal errors",
        "your message did not reach some or all of the intended recipients",
        "delivery has failed to these recipients", "the original message was received at",
    ]
    private static let delays = ["delayed", "warning:", "(delay)", "verzögert"]

    // MARK: Recipients

    /// The recipients that the text names, with what it says about each.
    func recipients() -> [Bounce.Recipient] {
        var reader = RecipientReader(limit: min(Self.recipientLimit, limits.addressCount))
        for line in text.utf8.split(separator: ASCII.lf, omittingEmptySubsequences: false) {
            guard reader.take(line) else { break }
        }
        return reader.recipients
    }

    private struct RecipientReader {
        let limit: Int
        var recipients: [Bounce.Recipient] = []
        private var places: [String: Int] = [:]
        private var current: Int?

        init(limit: Int) { self.limit = limit }

        /// `false` where the message itself begins.
        mutating func take(_ line: Substring.UTF8View) -> Bool {
            let content = line.trimmedOfBlanks
            if content.isEmpty {
                current = nil
                return true
            }
            if content.hasPrefix("--") || content.hasPrefix("==") {
                let words = String(Substring(content)).lowercased()
                current = nil
                return ![
                    "copy of", "original message", "below this line", "unsent message",
                    "returned message",
                ]
                .contains { words.contains($0) }
            }
            if let (address, rest) = address(in: content) {
                guard recipients.count < limit else { return false }
                begin(address)
                if !rest.isEmpty { note(rest) }
            } else {
                note(content)
            }
            return true
        }

        private mutating func begin(_ address: String) {
            let key = address.lowercased()
            if let place = places[key] {
                current = place
                return
            }
            current = recipients.count
            places[key] = recipients.count
            recipients.append(Bounce.Recipient(address: address))
        }

        private mutating func note(_ words: Substring.UTF8View) {
            guard let current else { return }
            let words = String(Substring(words))
            let before = recipients[current].diagnostic
            guard (before?.utf8.count ?? 0) < 2_000 else { return }
            recipients[current].diagnostic = before.map { $0 + " " + words } ?? words
            if recipients[current].status?.isGeneral ?? true {
                recipients[current].status =
                    EnhancedStatusCode.find(in: words) ?? recipients[current].status
                    ?? EnhancedStatusCode.fromReply(in: words)
            }
        }

        /// The address that a line is about, and what stands behind it: `<a@b>: reason`, `a@b`, `550 <a@b>... reason`.
        private func address(
            in line: Substring.UTF8View
        ) -> (address: String, rest: Substring.UTF8View)? {
            var start = line
            let isReply =
                line.prefix(3).allSatisfy(\.isDigit) && line.dropFirst(3).first?.isBlank ?? false
            if isReply, let less = line.firstIndex(of: ASCII.less) { start = line[less...] }
            if start.first == ASCII.less {
                let inside = start.dropFirst().prefix { $0 != ASCII.greater }
                let rest = start[inside.endIndex...].dropFirst()
                guard let address = Self.mailbox(inside) else { return nil }
                return (
                    address, isReply ? line : rest.drop { $0 == UInt8(ascii: ":") || $0.isBlank }
                )
            }
            var word = line.prefix { !$0.isBlank }
            let rest = line[word.endIndex...].drop(while: \.isBlank)
            if word.last == UInt8(ascii: ":") {
                word.removeLast()
            } else if !rest.isEmpty {
                return nil
            }
            guard let address = Self.mailbox(word) else { return nil }
            return (address, rest)
        }

        private static func mailbox(_ word: Substring.UTF8View) -> String? {
            guard word.count <= 500, word.contains(UInt8(ascii: "@")),
                let mailbox = try? MailboxAddress(String(Substring(word)))
            else { return nil }
            return mailbox.addrSpec
        }
    }
}
