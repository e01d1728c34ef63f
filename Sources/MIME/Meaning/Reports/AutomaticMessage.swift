import MartletBytes

/// How a message came to be without a person sending it.
public enum AutomaticKind: Hashable, Sendable {
    /// As an answer to another message: an absence note, a delivery report.
    case reply
    /// At some time, or because of an event.
    case generated
    /// To many: a mailing list, a newsletter.
    case bulk
}

extension Message {
    /// How the message came to be without a person sending it, by `Auto-Submitted` (RFC 3834 §5), `Precedence` and the
    /// fields of programs that knew neither; `nil` if nothing says so.
    public var automaticKind: AutomaticKind? {
        let header = root.header
        let keyword = header["Auto-Submitted"].flatMap {
            AutoSubmittedField.parse($0.rawValue[...]).value?.keyword
        }
        if keyword == .autoReplied { return .reply }
        let precedence = root.text(of: "Precedence")?.lowercased() ?? ""
        if precedence == "auto_reply" { return .reply }
        if Self.answeringFields.contains(where: { header[$0].map(\.saysSo) ?? false }) {
            return .reply
        }
        if let keyword, keyword != .no {
            return isCalledAutomaticReply ? .reply : .generated
        }
        if header["X-Auto-Response-Suppress"] != nil, isCalledAutomaticReply { return .reply }
        if ["bulk", "junk", "list"].contains(precedence) { return .bulk }
        return header["List-Id"] != nil || header["List-Unsubscribe"] != nil ? .bulk : nil
    }

    /// Whether a program sent the message as an answer.
    public var isAutomaticReply: Bool { automaticKind == .reply }

    /// Whether a program may answer the message: somebody sent it, and it did not go to many. RFC 3834 §2.
    public var mayBeAnsweredAutomatically: Bool {
        let header = root.header
        if automaticKind != nil || header["X-Auto-Response-Suppress"] != nil { return false }
        if let path = header["Return-Path"], ReturnPath.parse(path.rawValue).value == .null {
            return false
        }
        if header.contains(where: { $0.name.lowercased().hasPrefix("list-") }) { return false }
        let senders = (root.sender.mailboxes + root.from.mailboxes).map {
            $0.localPart.lowercased()
        }
        return !senders.isEmpty
            && !senders.contains {
                ["mailer-daemon", "postmaster", "listserv", "majordomo", "noreply", "no-reply"]
                    .contains($0) || $0.hasPrefix("owner-") || $0.hasSuffix("-request")
            }
    }

    private static let answeringFields = [
        "X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Autoreply-From",
        "X-Mail-Autoreply", "X-AutoReply-From", "X-Auto-Reply-From",
    ]

    /// What Exchange and others call their absence notes.
    private var isCalledAutomaticReply: Bool {
        let subject = (root.subject ?? "").lowercased()
        return [
            "automatic reply", "automatische antwort", "réponse automatique", "out of office",
            "respuesta automática", "risposta automatica", "resposta automática",
            "автоматический ответ", "自动答复", "自動応答", "abwesenheitsnotiz",
        ].contains { subject.hasPrefix($0) }
    }
}

extension PartHeader.Field {
    /// Whether the value is anything but `no`.
    fileprivate var saysSo: Bool {
        let value = text.value.lowercased()
        return !value.isEmpty && value != "no" && value != "false" && value != "0"
    }
}
