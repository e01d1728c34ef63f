import MartletBytes

// Fields beside addresses and names, read back into their properties.

extension OutgoingMessage {
    /// Fields of the way that the old message went, in lower case: they are true of it alone.
    private static let traceNames: Set<String> = [
        "received", "return-path", "delivered-to", "x-original-to", "envelope-to",
        "x-envelope-from",
        "dkim-signature", "domainkey-signature", "authentication-results", "received-spf",
        "arc-seal", "arc-message-signature", "arc-authentication-results", "x-received",
    ]

    // Read elsewhere, or made anew.
    private static let otherNames: Set<String> = [
        "from", "sender", "to", "cc", "bcc", "reply-to", "subject", "date", "message-id",
        "in-reply-to", "references", "disposition-notification-to", "mime-version",
        "list-unsubscribe-post",
    ]

    mutating func readFields(of header: PartHeader) {
        let isOneClick = header["List-Unsubscribe-Post"].map {
            OneClickUnsubscribe.isAllowed(by: $0.rawValue)
        }
        var extra: [HeaderField] = []
        for field in header {
            let name = field.name.lowercased()
            guard !Self.otherNames.contains(name), !Self.traceNames.contains(name),
                !name.hasPrefix("content-") || name == "content-language",
                !name.hasPrefix("resent-")
            else { continue }
            if read(field, name: name)
                || list.read(field, name: name, isOneClick: isOneClick ?? false)
            {
                continue
            }
            if let field = try? HeaderField(field.name, field.text.value) { extra.append(field) }
        }
        extraFields = HeaderFields(MessageHeader.writable(extra, beside: self))
    }

    /// Whether the field has a property of its own, which can hold its value and did not yet.
    private mutating func read(_ field: PartHeader.Field, name: String) -> Bool {
        switch name {
        case "importance": return take(&importance, Importance(fieldValue: field.text.value))
        // Says the same as Importance.
        case "x-priority", "x-msmail-priority", "priority":
            let priority = Importance(fieldValue: field.text.value)
            return priority != nil && (importance == priority || take(&importance, priority))
        case "auto-submitted": return take(&autoSubmission, try? AutoSubmission(field.text.value))
        case "precedence": return take(&precedence, try? Precedence(field.text.value))
        case "comments": return take(&comments, text(of: field))
        case "organization": return take(&organization, text(of: field))
        case "user-agent": return take(&userAgent, text(of: field))
        case "x-mailer": return take(&xMailer, text(of: field))
        case "keywords":
            keywords += Keywords.parse(field.rawValue).value.phrases
                .filter { $0.utf8.count <= MessageHeader.textLimit }
            return true
        case "content-language":
            contentLanguage += ContentLanguage.parse(field.rawValue[...]).value
                .filter(isLanguageTag)
            return true
        default: return false
        }
    }

    /// A text that can be written.
    private func text(of field: PartHeader.Field) -> String? {
        let text = field.text.value
        return text.utf8.count <= MessageHeader.textLimit ? text : nil
    }
}

/// Puts `value` where nothing is yet; whether it could.
private func take<Value>(_ property: inout Value?, _ value: Value?) -> Bool {
    guard property == nil, let value else { return false }
    property = value
    return true
}

/// The same for a list.
private func take(_ property: inout [ListLink], _ links: [ListLink]) -> Bool {
    guard property.isEmpty, !links.isEmpty else { return false }
    property = links
    return true
}

extension ListFields {
    /// Whether the field is one of a list, and its value can be written.
    fileprivate mutating func read(
        _ field: PartHeader.Field, name: String, isOneClick: Bool
    ) -> Bool {
        switch name {
        case "list-id":
            guard let read = ListID.parse(field.rawValue).value else { return false }
            return take(&id, try? ListIdentifier(read.identifier, name: read.description))
        case "list-help": return take(&help, links(field))
        case "list-subscribe": return take(&subscribe, links(field))
        case "list-owner": return take(&owner, links(field))
        case "list-archive": return take(&archive, links(field))
        case "list-unsubscribe":
            let links = links(field)
            guard let first = links.first else { return false }
            let oneClick =
                isOneClick && links.count <= 2
                ? try? Unsubscription(oneClick: first, mailto: links.dropFirst().first) : nil
            return take(&unsubscribe, oneClick ?? (try? Unsubscription(links)))
        case "list-post":
            if ListURIs.parse(field.rawValue).value.isForbidden { return take(&post, .forbidden) }
            let links = links(field)
            return take(&post, links.isEmpty ? nil : .links(links))
        default: return false
        }
    }

    private func links(_ field: PartHeader.Field) -> [ListLink] {
        ListURIs.parse(field.rawValue).value.entries.compactMap { try? ListLink($0.uri) }
    }
}
