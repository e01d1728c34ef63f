import MartletBytes

/// Search keys nest; what is open stands on a stack of limited depth.
extension CommandReader {
    private enum Open {
        /// Keys up to a parenthesis, or to the end: the place of their node, and how many there are.
        case list(Int, count: Int)
        /// `OR`, `NOT`, `FUZZY`: so many keys are still to come.
        case operands(Int)
    }

    /// The keys up to the end, all of which are to be true.
    mutating func searchKeys(in charset: SearchCharset) throws(CommandProblem) -> SearchKey {
        var nodes: [SearchKey.Node] = [.and(0)]
        var open: [Open] = [.list(0, count: 0)]
        while !open.isEmpty {
            guard open.count <= SearchKey.depthLimit + 1 else {
                throw .bad("Search keys nest deeper than \(SearchKey.depthLimit) levels")
            }
            if cursor.takeIfPresent(UInt8(ascii: "(")) {
                open.append(.list(nodes.count, count: 0))
                nodes.append(.and(0))
                continue
            }
            if let (node, count) = operatorIfPresent() {
                nodes.append(node)
                open.append(.operands(count))
                try space()
                continue
            }
            nodes.append(.criterion(try criterion(in: charset)))
            try close(&open, &nodes)
        }
        return SearchKey(nodes: nodes).optimized
    }

    private mutating func operatorIfPresent() -> (SearchKey.Node, Int)? {
        if cursor.wordIfPresent("OR") { return (.or(2), 2) }
        if cursor.wordIfPresent("NOT") { return (.not, 1) }
        if cursor.wordIfPresent("FUZZY") { return (.fuzzy, 1) }
        return nil
    }

    /// A key is complete, and with it what has no more to come.
    private mutating func close(
        _ open: inout [Open], _ nodes: inout [SearchKey.Node]
    ) throws(CommandProblem) {
        while let last = open.popLast() {
            switch last {
            case .operands(let count):
                guard count > 1 else { continue }
                open.append(.operands(count - 1))
                return try space()
            case .list(let place, let count):
                nodes[place] = .and(count + 1)
                let hasSpace = spaceIfPresent()
                if place == 0 {
                    if cursor.isAtEnd { continue }
                } else if cursor.takeIfPresent(UInt8(ascii: ")")) {
                    continue
                }
                guard hasSpace else { throw failure("SP") }
                open.append(.list(place, count: count + 1))
                return
            }
        }
    }

    // MARK: Criteria

    private mutating func criterion(
        in charset: SearchCharset
    ) throws(CommandProblem) -> SearchCriterion {
        if cursor.takeIfPresent(UInt8(ascii: "$")) { return .searchResult }
        if cursor.next.isDigit || cursor.next == UInt8(ascii: "*") {
            return .numbers(
                try read { cursor throws(ParseFailure) in try cursor.messageNumberSet() })
        }
        let name = try keyword()
        if let criterion = Self.bareCriteria[name] { return criterion }
        try space()
        switch name {
        case "BCC": return .bcc(try sought(charset))
        case "CC": return .cc(try sought(charset))
        case "FROM": return .from(try sought(charset))
        case "TO": return .to(try sought(charset))
        case "SUBJECT": return .subject(try sought(charset))
        case "BODY": return .body(try sought(charset))
        case "TEXT": return .text(try sought(charset))
        case "HEADER":
            let field = try headerName()
            try space()
            return .header(field, try sought(charset))
        case "KEYWORD": return .keyword(try keywordFlag())
        case "UNKEYWORD": return .unkeyword(try keywordFlag())
        case "BEFORE": return .before(try date())
        case "ON": return .on(try date())
        case "SINCE": return .since(try date())
        case "SENTBEFORE": return .sentBefore(try date())
        case "SENTON": return .sentOn(try date())
        case "SENTSINCE": return .sentSince(try date())
        case "SAVEDBEFORE": return .savedBefore(try date())
        case "SAVEDON": return .savedOn(try date())
        case "SAVEDSINCE": return .savedSince(try date())
        case "LARGER": return .larger(try number64())
        case "SMALLER": return .smaller(try number64())
        default: return try rarerCriterion(name, charset)
        }
    }

    private mutating func rarerCriterion(
        _ name: String, _ charset: SearchCharset
    ) throws(CommandProblem) -> SearchCriterion {
        switch name {
        case "UID":
            if cursor.takeIfPresent(UInt8(ascii: "$")) { return .searchResult }
            return .uid(try read { cursor throws(ParseFailure) in try cursor.messageNumberSet() })
        case "OLDER": return .older(seconds: try nzNumber())
        case "YOUNGER": return .younger(seconds: try nzNumber())
        case "MODSEQ": return try modSeqCriterion()
        case "EMAILID": return .emailID(ObjectID(try atom()))
        case "THREADID": return .threadID(ObjectID(try atom()))
        case "FILTER": return .filter(try atom())
        case "X-GM-RAW": return .gmailRaw(try sought(charset))
        case "X-GM-LABELS": return .gmailLabel(try gmailLabel())
        case "X-GM-MSGID": return .gmailMessageID(try unsigned64())
        case "X-GM-THRID": return .gmailThreadID(try unsigned64())
        default: throw failure("search-key")
        }
    }

    private mutating func unsigned64() throws(CommandProblem) -> UInt64 {
        try read { cursor throws(ParseFailure) in try cursor.unsigned64() }
    }

    private mutating func keywordFlag() throws(CommandProblem) -> MessageFlag {
        let flag = try flag()
        guard !flag.isSystemFlag else { throw failure("flag-keyword") }
        return flag
    }

    private mutating func sought(_ charset: SearchCharset) throws(CommandProblem) -> String {
        let octets = try read { cursor throws(ParseFailure) in try cursor.astring() }
        guard !octets.contains(ASCII.nul), let text = charset.text(of: octets) else {
            throw .bad("Text that is not in its charset, or holds NUL")
        }
        return text
    }

    // search-modsequence = "MODSEQ" [search-modseq-ext] SP mod-sequence-valzer ; RFC 7162 §7
    private mutating func modSeqCriterion() throws(CommandProblem) -> SearchCriterion {
        guard cursor.next == ASCII.quote else { return .modSeq(try modSequence()) }
        let name = try astring()
        let prefix = "/flags/"
        guard name.utf8.count > prefix.utf8.count, name.hasPrefix(prefix),
            let flag = MessageFlag(String(name.dropFirst(prefix.count)))
        else { throw failure("entry-name") }
        try space()
        let word = try keyword()
        guard
            let kind = ModSequenceEntry.Kind.allCases.first(where: {
                $0.rawValue.utf8.equalsIgnoringCase(word.utf8)
            })
        else { throw failure("entry-type-req") }
        try space()
        return .modSeq(try modSequence(), of: ModSequenceEntry(flag, kind))
    }

    private static let bareCriteria: [String: SearchCriterion] = {
        let all: [SearchCriterion] = [
            .all, .answered, .deleted, .draft, .flagged, .seen, .unanswered, .undeleted, .undraft,
            .unflagged, .unseen, .recent, .new, .old, .saveDateSupported,
        ]
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { criterion in
                criterion.word.map { ("\($0)", criterion) }
            })
    }()
}
