import MartletBytes

/// Cuts a list into entries and groups, one pass over its tokens. RFC 5322 §3.4, §4.4.
struct AddressListReader {
    /// What the list is read for.
    enum Purpose {
        /// To show it: as much as can be told.
        case showing
        /// To send mail to it: a doubtful entry is invalid rather than guessed at.
        case sending
    }

    /// How many commas a name without quotes may have: `Jane Doe, M.D., Ph.D. <jane@example.org>`.
    private static let nameCommaLimit = 8

    let octets: FieldOctets
    let limits: MIMELimits
    let purpose: Purpose
    private var scanner: AddressScanner
    /// The tokens of the entry at hand, and of those before it that may belong to its name, with their commas.
    var tokens: [AddressToken] = []
    /// Where in `tokens` the entry at hand begins.
    private var entryStart = 0
    private var commaCount = 0
    private var angle = Angle.none

    private var entries: [AddressList.Entry] = []
    private var group: (name: String, members: [AddressList.Entry], start: Int)?
    private(set) var count = 0
    var defects: [Defect] = []

    private enum Angle { case none, route, address }

    static func read(
        _ octets: some Collection<UInt8>, limits: MIMELimits, purpose: Purpose
    ) -> Parsed<AddressList> {
        octets.readField(within: limits) { octets in
            var reader = AddressListReader(octets, limits: limits, purpose: purpose)
            reader.readAll()
            reader.tidyDefects()
            return Parsed(AddressList(entries: reader.entries), defects: reader.defects)
        }
    }

    private init(_ octets: FieldOctets, limits: MIMELimits, purpose: Purpose) {
        self.octets = octets
        self.limits = limits
        self.purpose = purpose
        scanner = AddressScanner(octets, keepsEncodedWords: true)
        // Room for a usual entry, so that it grows never rather than five times.
        tokens.reserveCapacity(16)
    }

    // address-list = (address *("," address)) / obs-addr-list ; RFC 5322 §3.4, §4.4
    private mutating func readAll() {
        var next = scanner.next()
        while let token = next, count < limits.addressCount {
            next = scanner.next()
            switch token.kind {
            case .comma where angle == .route && next?.mayFollowInRoute == true:
                tokens.append(token)
            case .comma:
                endEntry(comma: token)
            case .semicolon:
                if group == nil, entryStart < tokens.count {
                    defects.append(Defect(.invalidAddress, at: token.start))
                }
                endEntry()
                endGroup()
            case .colon where angle == .none && !isSchemeOrRoute:
                beginGroup(colon: token)
            case .colon:
                angle = .address
                tokens.append(token)
            case .less:
                angle = next?.kind == .at ? .route : .address
                tokens.append(token)
            case .greater:
                angle = .none
                tokens.append(token)
            default:
                tokens.append(token)
            }
        }
        if let next {
            noteLimit(at: next.start)
            tokens.removeAll()
            entryStart = 0
        }
        endEntry()
        if let group { defects.append(Defect(.invalidAddress, at: group.start)) }
        endGroup()
        if scanner.commentDepth > limits.commentDepth {
            defects.append(Defect(.limitReached, at: 0, limit: "commentDepth"))
        }
    }

    /// Whether the entry so far is `mailto` or a route without brackets: then a colon makes it no group.
    private var isSchemeOrRoute: Bool {
        guard entryStart < tokens.count else { return false }
        let first = tokens[entryStart]
        return first.kind == .at
            || (first.kind == .atom && tokens.count == entryStart + 1
                && first.end - first.start == 6 && octets.has("mailto", at: first.start))
    }

    // MARK: Entries

    /// Ends the entry at hand, at a comma unless it is `nil`.
    private mutating func endEntry(comma: AddressToken? = nil) {
        angle = .none
        let isEmpty = tokens[entryStart...].allSatisfy { $0.kind == .comment }
        if let comma, purpose == .showing, !isEmpty, commaCount < Self.nameCommaLimit,
            !tokens[entryStart...].contains(where: { $0.kind == .less || $0.kind == .at })
        {
            // Perhaps the first part of a name: "Doe, Jane <jane@example.org>".
            tokens.append(comma)
            entryStart = tokens.count
            commaCount += 1
            return
        }
        if commaCount > 0, !beginsWithName(entryStart) { flushPending() }
        if commaCount > 0 {
            defects.append(Defect(.invalidAddress, at: tokens[entryStart - 1].start))
        }
        if !isEmpty { readEntries(commaCount > 0 ? 0..<tokens.count : entryStart..<tokens.count) }
        tokens.removeAll(keepingCapacity: true)
        entryStart = 0
        commaCount = 0
    }

    /// Whether the entry is a name with an address in brackets, so that words before a comma are the name's.
    private func beginsWithName(_ start: Int) -> Bool {
        let words = tokens[start...].prefix { $0.kind != .less }
        return start + words.count < tokens.count && words.contains { $0.kind != .comment }
    }

    /// The entries before the one at hand were no part of its name.
    private mutating func flushPending() {
        var start = 0
        for index in 0..<entryStart where tokens[index].kind == .comma {
            readEntries(start..<index)
            start = index + 1
        }
        commaCount = 0
    }

    /// Adds an entry to the group or the list.
    mutating func add(_ entry: AddressList.Entry) {
        count += 1
        if group != nil {
            group?.members.append(entry)
        } else {
            entries.append(entry)
        }
    }

    /// What begins at `offset` is not read.
    mutating func noteLimit(at offset: Int) {
        guard defects.last?.limit != "addressCount" else { return }
        defects.append(Defect(.limitReached, at: offset, limit: "addressCount"))
    }

    /// Puts the defects in the order of the octets. One may have been found twice: by the list and in a name.
    private mutating func tidyDefects() {
        guard defects.count > 1 else { return }
        defects.sort { $0.offset < $1.offset }
        var kept: [Defect] = []
        for defect in defects where kept.last != defect { kept.append(defect) }
        defects = kept
    }

    // MARK: Groups

    // group = display-name ":" [group-list] ";" [CFWS] ; RFC 5322 §3.4
    private mutating func beginGroup(colon: AddressToken) {
        if commaCount > 0 { flushPending() }
        if let group {
            defects.append(Defect(.invalidAddress, at: group.start))
            endGroup()
        }
        let name = displayName(entryStart..<tokens.count)
        group = (name ?? comment(in: entryStart..<tokens.count) ?? "", [], colon.start)
        tokens.removeAll(keepingCapacity: true)
        entryStart = 0
        count += 1
    }

    private mutating func endGroup() {
        guard let ended = group else { return }
        group = nil
        entries.append(.group(name: ended.name, members: ended.members))
    }
}

extension AddressToken {
    // obs-domain-list = *(CFWS / ",") "@" domain *("," [CFWS] ["@" domain]) ; RFC 5322 §4.4
    fileprivate var mayFollowInRoute: Bool { kind == .at || kind == .comma || kind == .comment }
}
