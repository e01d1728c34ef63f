import MartletBytes

extension CommandParser {
    static let mailboxCommands: [String: Rule] = [
        "SELECT": { reader throws(CommandProblem) in .select(try reader.select(isReadOnly: false))
        },
        "EXAMINE": { reader throws(CommandProblem) in .select(try reader.select(isReadOnly: true))
        },
        "CLOSE": { _ throws(CommandProblem) in .close },
        "UNSELECT": { _ throws(CommandProblem) in .unselect },
        "CREATE": { reader throws(CommandProblem) in .create(try reader.create()) },
        "DELETE": { reader throws(CommandProblem) in .delete(.init(try reader.mailboxArgument())) },
        "RENAME": { reader throws(CommandProblem) in
            let mailbox = try reader.mailboxArgument()
            return .rename(.init(mailbox, to: try reader.mailboxArgument()))
        },
        "SUBSCRIBE": { reader throws(CommandProblem) in
            .subscribe(.init(try reader.mailboxArgument()))
        },
        "UNSUBSCRIBE": { reader throws(CommandProblem) in
            .unsubscribe(.init(try reader.mailboxArgument()))
        },
        "LIST": { reader throws(CommandProblem) in .list(try reader.listCommand()) },
        "LSUB": { reader throws(CommandProblem) in
            let (reference, pattern) = try reader.plainList()
            return .listSubscribed(.init(pattern, reference: reference))
        },
        "XLIST": { reader throws(CommandProblem) in
            let (reference, pattern) = try reader.plainList()
            return .xList(.init(pattern, reference: reference))
        },
        "NAMESPACE": { _ throws(CommandProblem) in .namespace },
        "STATUS": { reader throws(CommandProblem) in
            let mailbox = try reader.mailboxArgument()
            try reader.space()
            return .status(.init(mailbox, try reader.statusItems()))
        },
        "NOTIFY": { reader throws(CommandProblem) in .notify(try reader.notify()) },
    ]
}

extension CommandReader {
    /// A space and the name of a mailbox.
    mutating func mailboxArgument() throws(CommandProblem) -> MailboxName {
        try space()
        return try mailbox()
    }

    // select = "SELECT" SP mailbox [select-params] ; RFC 7162 §7
    fileprivate mutating func select(isReadOnly: Bool) throws(CommandProblem) -> IMAP.Select {
        var command = IMAP.Select(try mailboxArgument(), isReadOnly: isReadOnly)
        guard spaceIfPresent(), !cursor.isAtEnd else { return command }
        for parameter in try list({ reader throws(CommandProblem) in try reader.selectParameter() })
        {
            if let parameter { command.qResync = parameter } else { command.condStore = true }
        }
        return command
    }

    /// The known state of QRESYNC; `nil` for CONDSTORE.
    private mutating func selectParameter() throws(CommandProblem) -> IMAP.Select.KnownState? {
        if cursor.wordIfPresent("CONDSTORE") { return nil }
        try word("QRESYNC")
        try space()
        try expect(UInt8(ascii: "("))
        let validity = UIDValidity(try nzNumber())
        try space()
        var known = IMAP.Select.KnownState(uidValidity: validity, modSeq: try modSequence())
        if spaceIfPresent() {
            if cursor.next != UInt8(ascii: "(") {
                known.uids = try closedSet()
                if spaceIfPresent() { known.sequenceMatch = try sequenceMatch() }
            } else {
                known.sequenceMatch = try sequenceMatch()
            }
        }
        try expect(UInt8(ascii: ")"))
        return known
    }

    private mutating func sequenceMatch() throws(CommandProblem) -> IMAP.Select.SequenceMatch {
        try expect(UInt8(ascii: "("))
        let numbers: SequenceSet = try closedSet()
        try space()
        let uids: UIDSet = try closedSet()
        try expect(UInt8(ascii: ")"))
        guard numbers.count == uids.count else { throw .bad("Not as many UIDs as numbers") }
        return .init(numbers: numbers, uids: uids)
    }

    private mutating func closedSet<Number>() throws(CommandProblem) -> MessageNumberSet<Number> {
        let set: MessageNumberSet<Number> = try read { cursor throws(ParseFailure) in
            try cursor.messageNumberSet()
        }
        guard set.openEnd == nil else { throw .bad("A known set ends with *") }
        return set
    }

    // create = "CREATE" SP mailbox [SP "(" "USE" SP "(" [use-attr *(SP use-attr)] ")" ")"] ; RFC 6154 §6
    fileprivate mutating func create() throws(CommandProblem) -> IMAP.Create {
        let mailbox = try mailboxArgument()
        guard spaceIfPresent(), !cursor.isAtEnd else { return IMAP.Create(mailbox) }
        try expect(UInt8(ascii: "("))
        try word("USE")
        try space()
        let uses = try list { reader throws(CommandProblem) in
            try reader.expect(ASCII.backslash)
            return MailboxAttribute("\\" + (try reader.atom()))
        }
        try expect(UInt8(ascii: ")"))
        return IMAP.Create(mailbox, uses: uses)
    }

    // MARK: LIST

    fileprivate mutating func plainList() throws(CommandProblem) -> (MailboxName?, MailboxPattern) {
        try space()
        let reference = try mailboxIfNamed()
        try space()
        return (reference, try pattern())
    }

    // list-mailbox = 1*list-char / string
    private mutating func pattern() throws(CommandProblem) -> MailboxPattern {
        let isUTF8 = isUTF8
        let bare = cursor.prefix {
            $0.isAtomOctet || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "%")
                || $0 == UInt8(ascii: "]") || $0 >= 0x80 && isUTF8
        }
        let octets =
            bare.isEmpty ? try read { cursor throws(ParseFailure) in try cursor.string() } : bare
        guard octets.count <= 4 * MailboxName.lengthLimit,
            !octets.contains(where: { $0.isControl })
        else { throw failure("list-mailbox") }
        return MailboxPattern(wire: octets, isUTF8: isUTF8)
    }

    // list = "LIST" [SP list-select-opts] SP mailbox SP mbox-or-pat [SP list-return-opts]
    fileprivate mutating func listCommand() throws(CommandProblem) -> IMAP.List {
        try space()
        var selection: IMAP.List.Selection = []
        if cursor.next == UInt8(ascii: "(") {
            let options = try list { reader throws(CommandProblem) in
                try reader.option(IMAP.List.Selection.words)
            }
            for option in options { selection.insert(option) }
            try space()
        }
        let reference = try mailboxIfNamed()
        try space()
        var patterns: [MailboxPattern] = []
        if cursor.next == UInt8(ascii: "(") {
            patterns = try list { reader throws(CommandProblem) in try reader.pattern() }
        } else {
            patterns = [try pattern()]
        }
        guard !patterns.isEmpty, patterns.count <= IMAP.List.patternLimit else {
            throw .bad("A list needs 1 to \(IMAP.List.patternLimit) patterns")
        }
        var returning = IMAP.List.Returning()
        if spaceIfPresent(), !cursor.isAtEnd {
            try word("RETURN")
            try space()
            let options = try list { reader throws(CommandProblem) in try reader.returnOption() }
            for change in options { change(&returning) }
        }
        return IMAP.List(patterns, reference: reference, selection: selection, returning: returning)
    }

    private mutating func option<Option>(
        _ words: [(Option, StaticString)]
    ) throws(CommandProblem) -> Option {
        for (option, word) in words where cursor.wordIfPresent(word) { return option }
        throw failure("an option")
    }

    private mutating func returnOption() throws(CommandProblem)
        -> (inout IMAP.List.Returning) -> Void
    {
        if cursor.wordIfPresent("SUBSCRIBED") { return { $0.subscribed = true } }
        if cursor.wordIfPresent("CHILDREN") { return { $0.children = true } }
        if cursor.wordIfPresent("SPECIAL-USE") { return { $0.specialUse = true } }
        if cursor.wordIfPresent("MYRIGHTS") { return { $0.myRights = true } }
        if cursor.wordIfPresent("STATUS") {
            try space()
            let items = try statusItems()
            return { $0.status = items }
        }
        try word("METADATA")
        try space()
        let names = try annotationNames()
        return { $0.metadata = names }
    }

    // "(" status-att *(SP status-att) ")"
    mutating func statusItems() throws(CommandProblem) -> Set<StatusItem> {
        let items = try list { reader throws(CommandProblem) in
            guard let item = StatusItem(rawValue: try reader.keyword()) else {
                throw reader.failure("status-att")
            }
            return item
        }
        guard !items.isEmpty else { throw failure("status-att") }
        return Set(items)
    }

    // MARK: NOTIFY

    // notify = "NOTIFY" SP (notify-add / notify-none) ; RFC 5465 §8
    fileprivate mutating func notify() throws(CommandProblem) -> IMAP.Notify {
        try space()
        if cursor.wordIfPresent("NONE") { return IMAP.Notify() }
        try word("SET")
        try space()
        let status = cursor.wordIfPresent("STATUS")
        if status { try space() }
        let groups = try words { reader throws(CommandProblem) in try reader.notifyGroup() }
        guard groups.count <= IMAP.Notify.groupLimit else {
            throw .bad("More than \(IMAP.Notify.groupLimit) groups")
        }
        return IMAP.Notify(groups, status: status)
    }

    private mutating func notifyGroup() throws(CommandProblem) -> IMAP.Notify.Group {
        try expect(UInt8(ascii: "("))
        let filter = try mailboxFilter()
        try space()
        var events: [IMAP.Notify.Event] = []
        if !cursor.wordIfPresent("NONE") {
            events = try list { reader throws(CommandProblem) in try reader.notifyEvent() }
        }
        try expect(UInt8(ascii: ")"))
        return IMAP.Notify.Group(filter, events)
    }

    // filter-mailboxes ; RFC 5465 §8, RFC 7377 §4
    mutating func mailboxFilter() throws(CommandProblem) -> MailboxFilter {
        switch try keyword() {
        case "SELECTED": return .selected
        case "SELECTED-DELAYED": return .selectedDelayed
        case "INBOXES": return .inboxes
        case "PERSONAL": return .personal
        case "SUBSCRIBED": return .subscribed
        case "SUBTREE": return .subtree(try mailboxNames())
        case "SUBTREE-ONE": return .subtreeOne(try mailboxNames())
        case "MAILBOXES": return .mailboxes(try mailboxNames())
        default: throw failure("filter-mailboxes")
        }
    }

    private mutating func mailboxNames() throws(CommandProblem) -> [MailboxName] {
        try space()
        guard cursor.next == UInt8(ascii: "(") else { return [try mailbox()] }
        let names = try list { reader throws(CommandProblem) in try reader.mailbox() }
        guard !names.isEmpty else { throw failure("mailbox") }
        return names
    }

    private mutating func notifyEvent() throws(CommandProblem) -> IMAP.Notify.Event {
        switch try keyword() {
        case "MESSAGENEW":
            var look = self
            guard look.spaceIfPresent(), look.cursor.next == UInt8(ascii: "(") else {
                return .messageNew()
            }
            self = look
            return .messageNew(try fetchAttributes())
        case "MESSAGEEXPUNGE": return .messageExpunge
        case "FLAGCHANGE": return .flagChange
        case "ANNOTATIONCHANGE": return .annotationChange
        case "MAILBOXNAME": return .mailboxName
        case "SUBSCRIPTIONCHANGE": return .subscriptionChange
        case "MAILBOXMETADATACHANGE": return .mailboxMetadataChange
        case "SERVERMETADATACHANGE": return .serverMetadataChange
        default:
            throw CommandProblem(
                .no,
                ResponseText(
                    code: .badEvent([
                        "MessageNew", "MessageExpunge", "FlagChange", "MailboxName",
                        "SubscriptionChange", "MailboxMetadataChange", "ServerMetadataChange",
                    ]), "Unknown event"))
        }
    }
}
