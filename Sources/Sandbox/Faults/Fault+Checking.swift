import MartletBytes

extension Sandbox.Fault {
    /// Says whether such a fault can be.
    ///
    /// - Throws: `SandboxError` of kind `.invalidFault` with what to change.
    public func validate() throws(SandboxError) {
        try checkTexts()
        try checkCounts()
        try checkAction()
        _ = try protocols()
    }

    private func fail(_ words: String) -> SandboxError {
        SandboxError(
            .invalidFault, (name.map { "Fault \"\($0)\": " } ?? "This fault cannot be: ") + words)
    }

    private func checkTexts() throws(SandboxError) {
        var texts = [name, command, user, recipient, mailbox].compactMap(\.self)
        switch action {
        case .reply(let text), .preauthenticate(let text): texts.append(text)
        case .capabilities(let added, let removed):
            guard added.count + removed.count <= 100 else {
                throw fail("add and remove name at most 100 capabilities together.")
            }
            texts += added + removed
        default: break
        }
        for text in texts {
            guard !text.isEmpty, text.utf8.count <= Self.textLimitInOctets,
                !text.utf8.contains(where: \.isControl)
            else {
                throw fail(
                    "its texts are on one line, and have up to \(Self.textLimitInOctets) octets.")
            }
        }
    }

    private func checkCounts() throws(SandboxError) {
        guard 0...Self.countLimit ~= after else { throw fail("after is a number from 0 on.") }
        guard times.map({ 1...Self.countLimit ~= $0 }) ?? true else {
            throw fail("times is a number from 1 on; leave it out for always.")
        }
        switch action {
        case .delay(let delay):
            guard delay > .zero, delay <= Self.delayLimit else {
                throw fail(
                    "delay is more than 0 and up to \(Self.delayLimit.components.seconds) seconds.")
            }
        case .throttle(let count), .cut(let count):
            guard 1...Self.countLimit ~= count else {
                throw fail("throttle and cut take a number of octets from 1 on.")
            }
        case .drop(.afterWriting(let count)), .drop(.afterReading(let count)),
            .silence(.afterWriting(let count)), .silence(.afterReading(let count)):
            guard 0...Self.countLimit ~= count else {
                throw fail("afterWriting and afterReading take a number of octets from 0 on.")
            }
        default: break
        }
    }

    private func checkAction() throws(SandboxError) {
        switch action {
        case .reply(let text):
            guard FaultReply(text) != nil else {
                throw fail(
                    "reply is what a server says, such as \"550 5.1.1 User unknown\", "
                        + "\"NO [LIMIT] Later\" or \"-ERR [IN-USE] Locked\"; not \"\(text)\".")
            }
        case .drop(.afterReading), .silence(.afterReading):
            guard moment == "DATA" else {
                throw fail("afterReading counts octets of a message: say command \"DATA\".")
            }
        case .capabilities(let added, let removed):
            guard !added.isEmpty || !removed.isEmpty else {
                throw fail("capabilities wants something to add or remove.")
            }
            guard moment == nil else {
                throw fail(
                    "capabilities are told by several commands: leave the command out.")
            }
        case .preauthenticate:
            guard moment == nil || moment == "GREETING" else {
                throw fail("preauthenticate is a greeting: leave the command out.")
            }
            guard user == nil else {
                throw fail("at the greeting nobody is known: leave the user out.")
            }
        default: break
        }
        if user != nil, moment == "GREETING" {
            throw fail("at the greeting nobody is known: leave the user out.")
        }
    }

    // MARK: Where it can strike

    /// Its command in upper case.
    var moment: String? { command?.uppercased() }

    /// The protocols in which its conditions can hold.
    func protocols() throws(SandboxError) -> Set<SandboxProtocol> {
        var left = Set(SandboxProtocol.allCases)
        func narrow(_ others: Set<SandboxProtocol>, _ words: String) throws(SandboxError) {
            left.formIntersection(others)
            if left.isEmpty { throw fail(words) }
        }
        if let `protocol` { left = [`protocol`] }
        if let moment {
            try narrow(
                Set(SandboxProtocol.allCases.filter { $0.moments.contains(moment) }),
                "there is no \(moment) in \(left.names). Besides commands there are greeting, login and dot."
            )
        }
        switch action {
        case .reply(let text):
            let protocols = FaultReply(text)?.protocols ?? []
            try narrow(
                protocols, "\"\(text)\" is a reply of \(protocols.names), not of \(left.names).")
            if moment == "GREETING", case .imap(let kind, _)? = FaultReply(text) {
                guard kind == .ok || kind == .bye else {
                    throw fail("IMAP greets with OK or BYE, or see preauthenticate.")
                }
            }
        case .cut:
            try narrow(
                Set(
                    SandboxProtocol.allCases.filter { spoken in
                        moment.map(spoken.readers.contains) ?? !spoken.readers.isEmpty
                    }),
                "cut is for FETCH and UID FETCH of IMAP, and RETR of POP3.")
        case .renewUIDs:
            try narrow(
                moment == "LOGIN" ? [.imap, .pop3] : [.imap],
                "UIDs are renewed by IMAP, and by POP3 at login: say command \"login\".")
        case .preauthenticate:
            try narrow([.imap], "PREAUTH is a greeting of IMAP.")
        case .capabilities where user != nil:
            try narrow(
                [.imap], "SMTP and POP3 tell capabilities before a login: leave the user out.")
        default: break
        }
        if recipient != nil {
            try narrow(
                moment.map { ["RCPT", "DATA", "DOT"].contains($0) } ?? true ? [.smtp, .lmtp] : [],
                "a recipient is known at RCPT, DATA and dot of SMTP and LMTP.")
        }
        if mailbox != nil { try narrow([.imap], "a mailbox is known in IMAP only.") }
        return left
    }
}

extension SandboxProtocol {
    /// What a fault can strike at: commands, and moments of its own.
    var moments: Set<String> {
        commands.union(["GREETING", "LOGIN"]).union(isMailTransfer ? ["DOT"] : [])
    }

    var isMailTransfer: Bool { self == .smtp || self == .lmtp }

    /// Commands that read messages.
    var readers: Set<String> {
        switch self {
        case .smtp, .lmtp: []
        case .imap: ["FETCH", "UID FETCH"]
        case .pop3: ["RETR"]
        }
    }

    private var commands: Set<String> {
        switch self {
        case .smtp: Self.mailTransfer.union(["EHLO", "HELO"])
        case .lmtp: Self.mailTransfer.union(["LHLO"])
        case .imap:
            [
                "CAPABILITY", "NOOP", "LOGOUT", "ID", "STARTTLS", "AUTHENTICATE", "ENABLE", "IDLE",
                "COMPRESS", "UNAUTHENTICATE", "SELECT", "EXAMINE", "CREATE", "DELETE", "RENAME",
                "SUBSCRIBE", "UNSUBSCRIBE", "LIST", "LSUB", "NAMESPACE", "STATUS", "APPEND",
                "GETQUOTA", "GETQUOTAROOT", "GETMETADATA", "SETMETADATA", "CHECK", "CLOSE",
                "UNSELECT", "EXPUNGE", "UID EXPUNGE", "FETCH", "UID FETCH", "STORE", "UID STORE",
                "COPY", "UID COPY", "MOVE", "UID MOVE", "SEARCH", "UID SEARCH", "SORT", "UID SORT",
                "THREAD", "UID THREAD",
            ]
        case .pop3:
            [
                "CAPA", "STLS", "USER", "PASS", "APOP", "AUTH", "STAT", "LIST", "UIDL", "TOP",
                "RETR", "DELE", "RSET", "NOOP", "QUIT", "UTF8", "LANG",
            ]
        }
    }

    private static let mailTransfer: Set<String> = [
        "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "RSET", "NOOP", "QUIT", "VRFY", "HELP",
    ]
}

extension Set<SandboxProtocol> {
    /// `SMTP and LMTP`.
    fileprivate var names: String {
        SandboxProtocol.allCases.filter(contains).map { $0.rawValue.uppercased() }
            .joined(separator: " and ")
    }
}
