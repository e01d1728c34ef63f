import MartletBytes

extension CommandParser {
    static let searchCommands: [String: Rule] = [
        "SEARCH": { reader throws(CommandProblem) in .search(try reader.search()) },
        "SORT": { reader throws(CommandProblem) in .sort(try reader.sort()) },
        "THREAD": { reader throws(CommandProblem) in .thread(try reader.thread()) },
        "ESEARCH": { reader throws(CommandProblem) in .multiSearch(try reader.multiSearch()) },
        "CANCELUPDATE": { reader throws(CommandProblem) in
            try reader.space()
            let tags = try reader.words { reader throws(CommandProblem) in try reader.astring() }
            guard tags.count <= IMAP.CancelUpdate.tagLimit else {
                throw .bad("More than \(IMAP.CancelUpdate.tagLimit) tags")
            }
            return .cancelUpdate(.init(tags))
        },
    ]
}

extension CommandReader {
    // search = "SEARCH" [search-return-opts] SP search-program
    mutating func search<Number>() throws(CommandProblem) -> IMAP.Search<Number> {
        let returning = try searchReturnIfPresent()
        try space()
        let (key, charset) = try searchProgram()
        return IMAP.Search(
            key, returning: returning ?? .all, charset: charset,
            form: returning == nil ? .plain : .extended)
    }

    // sort = "SORT" [SP "RETURN" …] SP sort-criteria SP search-criteria ; RFC 5256 §5, RFC 5267 §7
    mutating func sort<Number>() throws(CommandProblem) -> IMAP.Sort<Number> {
        let returning = try searchReturnIfPresent()
        try space()
        let criteria = try list { reader throws(CommandProblem) in try reader.sortCriterion() }
        guard 1...SortCriterion.countLimit ~= criteria.count else { throw failure("sort-key") }
        try space()
        let (key, charset) = try namedProgram()
        return IMAP.Sort(
            by: criteria, key, returning: returning ?? .all, charset: charset,
            form: returning == nil ? .plain : .extended)
    }

    private mutating func sortCriterion() throws(CommandProblem) -> SortCriterion {
        let isReversed = cursor.wordIfPresent("REVERSE")
        if isReversed { try space() }
        guard let field = SortCriterion.Field(rawValue: try keyword()) else {
            throw failure("sort-key")
        }
        return SortCriterion(field, isReversed: isReversed)
    }

    // thread = "THREAD" SP thread-alg SP search-criteria ; RFC 5256 §5
    mutating func thread<Number>() throws(CommandProblem) -> IMAP.Thread<Number> {
        try space()
        let algorithm = ThreadAlgorithm(try keyword())
        try space()
        let (key, charset) = try namedProgram()
        return IMAP.Thread(algorithm, key, charset: charset)
    }

    // esearch = "ESEARCH" [SP esearch-source-opts] [SP search-return-opts] SP search-program ; RFC 7377 §4
    fileprivate mutating func multiSearch() throws(CommandProblem) -> IMAP.MultiSearch {
        var filters: [MailboxFilter]?
        var look = self
        if look.spaceIfPresent(), look.cursor.wordIfPresent("IN") {
            self = look
            try space()
            let list = try list { reader throws(CommandProblem) in try reader.mailboxFilter() }
            guard 1...IMAP.MultiSearch.filterLimit ~= list.count, !list.contains(.selectedDelayed)
            else { throw failure("source-mbox") }
            filters = list
        }
        let returning = try searchReturnIfPresent()
        try space()
        let (key, charset) = try searchProgram()
        return IMAP.MultiSearch(in: filters, key, returning: returning ?? .all, charset: charset)
    }

    // search-return-opts = SP "RETURN" SP "(" [search-return-opt *(SP search-return-opt)] ")"
    private mutating func searchReturnIfPresent() throws(CommandProblem) -> SearchReturn? {
        var look = self
        guard look.spaceIfPresent(), look.cursor.wordIfPresent("RETURN") else { return nil }
        self = look
        try space()
        var returning = SearchReturn()
        let options = try list { reader throws(CommandProblem) in try reader.searchReturnOption() }
        for change in options { change(&returning) }
        return returning
    }

    private mutating func searchReturnOption() throws(CommandProblem)
        -> (inout SearchReturn) -> Void
    {
        for (option, word, _) in SearchReturn.Options.words where cursor.wordIfPresent(word) {
            return { $0.options.insert(option) }
        }
        try word("PARTIAL")
        try space()
        let range = try partialRange()
        return { $0.partial = range }
    }

    // search-program = ["CHARSET" SP charset SP] search-key *(SP search-key)
    private mutating func searchProgram() throws(CommandProblem) -> (SearchKey, SearchCharset) {
        guard cursor.wordIfPresent("CHARSET") else {
            return (try searchKeys(in: .automatic), isUTF8 ? .automatic : .unlabelled)
        }
        try space()
        return try namedProgram()
    }

    // charset SP search-key *(SP search-key)
    private mutating func namedProgram() throws(CommandProblem) -> (SearchKey, SearchCharset) {
        let name = try astring()
        let isUTF8 = "UTF-8".utf8.equalsIgnoringCase(name.utf8)
        let charset: SearchCharset = isUTF8 ? .automatic : .named(name)
        guard isUTF8 || SearchCharset.isReadable(name) else {
            throw CommandProblem(
                .no,
                ResponseText(code: .badCharset(["US-ASCII", "UTF-8"]), "Unknown charset"))
        }
        try space()
        return (try searchKeys(in: charset), charset)
    }
}
