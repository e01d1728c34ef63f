import MartletBytes

// Fields that a message has only where it says so.

extension MessageHeader {
    /// How the message wants to be treated. RFC 3834, RFC 2156 §5.3.4.
    mutating func handling(of message: OutgoingMessage) throws(CompositionError) {
        if let importance = message.importance {
            try field("Importance", words: [importance.rawValue])
            try field(
                "X-Priority", words: importance.priority.split(separator: " ").map(String.init))
        }
        if let autoSubmission = message.autoSubmission {
            try field("Auto-Submitted", words: [autoSubmission.keyword])
        }
        if let precedence = message.precedence {
            try field("Precedence", words: [precedence.keyword])
        }
    }

    /// The mailing list. RFC 2369, RFC 2919, RFC 8058.
    mutating func list(_ list: ListFields) throws(CompositionError) {
        if let id = list.id { try listID(id) }
        try links("List-Help", list.help)
        try links("List-Subscribe", list.subscribe)
        if let unsubscribe = list.unsubscribe {
            try links("List-Unsubscribe", unsubscribe.links)
            if unsubscribe.isOneClick {
                try field("List-Unsubscribe-Post", words: [OneClickUnsubscribe.body])
            }
        }
        switch list.post {
        case .links(let links): try self.links("List-Post", links)
        case .forbidden: try field("List-Post", words: ["NO"])
        case nil: break
        }
        try links("List-Owner", list.owner)
        try links("List-Archive", list.archive)
    }

    /// What the message is about, and where it comes from. RFC 5322 §3.6.5, RFC 3282, RFC 5536 §3.2.
    mutating func information(of message: OutgoingMessage) throws(CompositionError) {
        if !message.contentLanguage.isEmpty { try languages(message.contentLanguage) }
        if !message.keywords.isEmpty { try phrases("Keywords", message.keywords) }
        if let comments = message.comments { try text("Comments", comments) }
        if let organization = message.organization { try text("Organization", organization) }
        if let userAgent = message.userAgent { try text("User-Agent", userAgent) }
        if let xMailer = message.xMailer { try text("X-Mailer", xMailer) }
    }

    // list-id-header = "List-ID:" [phrase] "<" list-id ">" CRLF ; RFC 2919 §3
    private mutating func listID(_ id: ListIdentifier) throws(CompositionError) {
        guard let name = id.name else {
            try field("List-ID", words: ["<\(id.identifier)>"])
            return
        }
        try phrases("List-ID", [name], followedBy: "<\(id.identifier)>")
    }

    /// URIs in brackets with commas between, RFC 2369 §2. None of them is folded.
    private mutating func links(_ name: String, _ links: [ListLink]) throws(CompositionError) {
        guard !links.isEmpty else { return }
        let words = links.enumerated().map { index, link in
            "<\(link.uri)>" + (index < links.count - 1 ? "," : "")
        }
        try field(name, words: words)
    }

    private mutating func languages(_ tags: [String]) throws(CompositionError) {
        for tag in tags {
            try refuseLineBreaks(in: tag, field: "Content-Language")
            guard isLanguageTag(tag) else {
                throw CompositionError(.invalid, field: "Content-Language", value: tag)
            }
        }
        let words = tags.enumerated().map { $1 + ($0 < tags.count - 1 ? "," : "") }
        try field("Content-Language", words: words)
    }
}

// Language-Tag = Primary-tag *( "-" Subtag ) ; RFC 3282 §2
func isLanguageTag(_ text: String) -> Bool {
    text.utf8.split(separator: ASCII.hyphen, omittingEmptySubsequences: false).allSatisfy {
        subtag in
        (1...8).contains(subtag.count) && subtag.allSatisfy { $0.isLetter || $0.isDigit }
    }
}
