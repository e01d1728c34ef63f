import MartletBytes

extension CommandParser {
    static let accessCommands: [String: Rule] = [
        "GETQUOTA": { reader throws(CommandProblem) in
            try reader.space()
            return .getQuota(.init(root: try reader.nameOnOneLine()))
        },
        "GETQUOTAROOT": { reader throws(CommandProblem) in
            .getQuotaRoot(.init(try reader.mailboxArgument()))
        },
        "SETQUOTA": { reader throws(CommandProblem) in .setQuota(try reader.setQuota()) },
        "GETACL": { reader throws(CommandProblem) in .getACL(.init(try reader.mailboxArgument())) },
        "SETACL": { reader throws(CommandProblem) in .setACL(try reader.setACL()) },
        "DELETEACL": { reader throws(CommandProblem) in
            let mailbox = try reader.mailboxArgument()
            return .deleteACL(.init(mailbox, try reader.identifier()))
        },
        "LISTRIGHTS": { reader throws(CommandProblem) in
            let mailbox = try reader.mailboxArgument()
            return .listRights(.init(mailbox, try reader.identifier()))
        },
        "MYRIGHTS": { reader throws(CommandProblem) in
            .myRights(.init(try reader.mailboxArgument()))
        },
        "GETMETADATA": { reader throws(CommandProblem) in .getMetadata(try reader.getMetadata()) },
        "SETMETADATA": { reader throws(CommandProblem) in .setMetadata(try reader.setMetadata()) },
        "GENURLAUTH": { reader throws(CommandProblem) in
            try reader.space()
            let requests = try reader.words { reader throws(CommandProblem) in
                let url = try reader.url()
                try reader.space()
                return IMAP.GenerateURLs.Request(url, mechanism: try reader.atom())
            }
            try reader.check(requests.count, IMAP.GenerateURLs.urlLimit)
            return .generateURLs(.init(requests))
        },
        "RESETKEY": { reader throws(CommandProblem) in .resetKey(try reader.resetKey()) },
        "URLFETCH": { reader throws(CommandProblem) in
            try reader.space()
            let requests = try reader.words { reader throws(CommandProblem) in
                try reader.urlRequest()
            }
            try reader.check(requests.count, IMAP.FetchURLs.urlLimit)
            return .fetchURLs(.init(requests))
        },
        "GETJMAPACCESS": { _ throws(CommandProblem) in .getJMAPAccess },
    ]
}

extension CommandReader {
    fileprivate func check(_ count: Int, _ limit: Int) throws(CommandProblem) {
        guard count <= limit else { throw .bad("More than \(limit) elements") }
    }

    /// Text without control characters; empty, too.
    fileprivate mutating func nameOnOneLine() throws(CommandProblem) -> String {
        let name = try astring()
        guard name.utf8.count <= CommandEncoder.nameLimitInOctets,
            name.utf8.allSatisfy({ !$0.isControl })
        else { throw failure("a name") }
        return name
    }

    // setquota = "SETQUOTA" SP quota-root-name SP setquota-list ; RFC 9208 §7
    fileprivate mutating func setQuota() throws(CommandProblem) -> IMAP.SetQuota {
        try space()
        let root = try nameOnOneLine()
        try space()
        let resources = try list { reader throws(CommandProblem) in
            let name = try reader.atom()
            try reader.space()
            return IMAP.SetQuota.Resource(name: name, limit: try reader.number64())
        }
        try check(resources.count, IMAP.SetQuota.resourceLimit)
        return IMAP.SetQuota(root: root, resources)
    }

    /// A space and somebody's name.
    fileprivate mutating func identifier() throws(CommandProblem) -> String {
        try space()
        let identifier = try nameOnOneLine()
        guard !identifier.isEmpty else { throw failure("identifier") }
        return identifier
    }

    // setacl = "SETACL" SP mailbox SP identifier SP mod-rights ; RFC 4314 §5
    fileprivate mutating func setACL() throws(CommandProblem) -> IMAP.SetACL {
        let mailbox = try mailboxArgument()
        let identifier = try identifier()
        try space()
        var letters = try astring()[...]
        var operation = IMAP.SetACL.Operation.replace
        if let first = letters.first, let found = IMAP.SetACL.Operation(rawValue: String(first)) {
            operation = found
            letters = letters.dropFirst()
        }
        guard letters.utf8.count <= 36,
            letters.utf8.allSatisfy({ $0.isDigit || $0.isLetter && $0 == $0.lowercased })
        else { throw failure("mod-rights") }
        return IMAP.SetACL(mailbox, identifier, AccessRights(String(letters)), operation)
    }

    // MARK: Annotations

    /// One name, or several in parentheses.
    mutating func annotationNames() throws(CommandProblem) -> [String] {
        guard cursor.next == UInt8(ascii: "(") else { return [try annotationName()] }
        let names = try list { reader throws(CommandProblem) in try reader.annotationName() }
        guard !names.isEmpty else { throw failure("entry") }
        try check(names.count, IMAP.GetMetadata.entryLimit)
        return names
    }

    // entry ; RFC 5464 §3.2
    private mutating func annotationName() throws(CommandProblem) -> String {
        let name = try astring()
        guard IMAP.isAnnotationName(name) else { throw failure("entry") }
        return name
    }

    // getmetadata = "GETMETADATA" [SP getmetadata-options] SP mailbox SP entries ; RFC 5464 §5
    fileprivate mutating func getMetadata() throws(CommandProblem) -> IMAP.GetMetadata {
        try space()
        var command = IMAP.GetMetadata(nil, [])
        if cursor.next == UInt8(ascii: "(") {
            let options = try list { reader throws(CommandProblem) in
                try reader.metadataOption()
            }
            for change in options { change(&command) }
            try space()
        }
        command.mailbox = try mailboxIfNamed()
        try space()
        command.entries = try annotationNames()
        return command
    }

    private mutating func metadataOption() throws(CommandProblem)
        -> (inout IMAP.GetMetadata) -> Void
    {
        if cursor.wordIfPresent("MAXSIZE") {
            try space()
            let size = try number()
            return { $0.maximumSizeInOctets = size }
        }
        try word("DEPTH")
        try space()
        let word = try keyword()
        guard
            let depth = IMAP.GetMetadata.Depth.allCases.first(where: {
                $0.rawValue.utf8.equalsIgnoringCase(word.utf8)
            })
        else { throw failure("DEPTH") }
        return { $0.depth = depth }
    }

    // setmetadata = "SETMETADATA" SP mailbox SP entry-values ; RFC 5464 §5
    fileprivate mutating func setMetadata() throws(CommandProblem) -> IMAP.SetMetadata {
        try space()
        let mailbox = try mailboxIfNamed()
        try space()
        let entries = try list { reader throws(CommandProblem) in
            let name = try reader.annotationName()
            try reader.space()
            return IMAP.SetMetadata.Entry(name: name, value: try reader.nstringOctets())
        }
        guard !entries.isEmpty else { throw failure("entry-value") }
        try check(entries.count, IMAP.SetMetadata.entryLimit)
        return IMAP.SetMetadata(mailbox, entries)
    }

    // MARK: URLs

    // resetkey = "RESETKEY" [SP mailbox *(SP mechanism)] ; RFC 4467 §9
    fileprivate mutating func resetKey() throws(CommandProblem) -> IMAP.ResetKey {
        guard spaceIfPresent(), !cursor.isAtEnd else { return IMAP.ResetKey() }
        var command = IMAP.ResetKey(try mailbox())
        if spaceIfPresent(), !cursor.isAtEnd {
            command.mechanisms = try words { reader throws(CommandProblem) in try reader.atom() }
        }
        return command
    }

    // url-fetch-arg = url / "(" url *(SP url-fetch-param) ")" ; RFC 5524 §4
    fileprivate mutating func urlRequest() throws(CommandProblem) -> IMAP.FetchURLs.Request {
        guard cursor.takeIfPresent(UInt8(ascii: "(")) else { return .init(try url()) }
        let url = try url()
        try space()
        guard let form = IMAP.FetchURLs.Form(rawValue: try keyword()) else {
            throw failure("url-fetch-param")
        }
        try expect(UInt8(ascii: ")"))
        return .init(url, form: form)
    }
}
