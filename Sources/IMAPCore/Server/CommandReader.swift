import MartletBytes
import MartletMIME

/// Reads what clients write. Of the grammar it is strict; what it tolerates is marked.
struct CommandReader {
    var cursor: IMAPCursor
    let isUTF8: Bool
    /// The literals that were handed on, by their index.
    let literals: [any OctetSource]

    /// Reads by a rule of the grammar.
    mutating func read<Value>(
        _ rule: (inout IMAPCursor) throws(ParseFailure) -> Value
    ) throws(CommandProblem) -> Value {
        do throws(ParseFailure) {
            return try rule(&cursor)
        } catch {
            throw .bad(error.description)
        }
    }

    func failure(_ expected: String) -> CommandProblem {
        .bad(cursor.failure(expected).description)
    }

    // MARK: Words

    /// Reads a space.
    ///
    /// QUIRK(doubled-spaces): clients that put words together write two where one of them is empty.
    mutating func space() throws(CommandProblem) {
        guard spaceIfPresent() else { throw failure("SP") }
    }

    mutating func spaceIfPresent() -> Bool {
        guard cursor.takeIfPresent(ASCII.space) else { return false }
        cursor.skipSpaces()
        return true
    }

    /// Insists on the end.
    ///
    /// QUIRK(trailing-space): clients leave a space in front of the line end.
    mutating func finish() throws(CommandProblem) {
        cursor.skipSpaces()
        guard cursor.isAtEnd else { throw failure("the end") }
    }

    mutating func expect(_ octet: UInt8) throws(CommandProblem) {
        guard cursor.takeIfPresent(octet) else {
            throw failure("\"\(Character(Unicode.Scalar(octet)))\"")
        }
    }

    mutating func word(_ word: StaticString) throws(CommandProblem) {
        guard cursor.wordIfPresent(word) else { throw failure("\(word)") }
    }

    /// An atom as text, in upper case.
    mutating func keyword() throws(CommandProblem) -> String {
        try read { cursor throws(ParseFailure) in try cursor.keyword() }
    }

    mutating func atom() throws(CommandProblem) -> String {
        let atom = try read { cursor throws(ParseFailure) in try cursor.atom() }
        return try text(of: atom)
    }

    /// How many elements a list in a command may have.
    static let listLimit = 10_000

    /// `(`, elements with spaces between, `)`.
    mutating func list<Element>(
        _ element: (inout CommandReader) throws(CommandProblem) -> Element
    ) throws(CommandProblem) -> [Element] {
        try expect(UInt8(ascii: "("))
        var elements: [Element] = []
        cursor.skipSpaces()
        while !cursor.takeIfPresent(UInt8(ascii: ")")) {
            if !elements.isEmpty { try space() }
            if cursor.takeIfPresent(UInt8(ascii: ")")) { break }
            guard elements.count < Self.listLimit else {
                throw .bad("A list of more than \(Self.listLimit) elements")
            }
            elements.append(try element(&self))
        }
        return elements
    }

    /// Elements with spaces between, up to the end.
    mutating func words<Element>(
        _ element: (inout CommandReader) throws(CommandProblem) -> Element
    ) throws(CommandProblem) -> [Element] {
        var elements = [try element(&self)]
        while spaceIfPresent(), !cursor.isAtEnd {
            guard elements.count < Self.listLimit else {
                throw .bad("A list of more than \(Self.listLimit) elements")
            }
            elements.append(try element(&self))
        }
        return elements
    }

    // MARK: Strings

    /// The text of octets that must be UTF-8 without NUL.
    func text(of octets: ArraySlice<UInt8>) throws(CommandProblem) -> String {
        guard !octets.contains(ASCII.nul), let text = String(validating: octets, as: UTF8.self)
        else { throw .bad("Text that is not UTF-8, or holds NUL") }
        return text
    }

    mutating func astring() throws(CommandProblem) -> String {
        try text(of: try read { cursor throws(ParseFailure) in try cursor.astring() })
    }

    /// Octets that may be anything, `NIL` included.
    mutating func nstringOctets() throws(CommandProblem) -> [UInt8]? {
        if cursor.isAtLiteral { return try octets(of: try source()) }
        return try read { cursor throws(ParseFailure) in try cursor.nstring() }.map { Array($0) }
    }

    private func octets(of source: any OctetSource) throws(CommandProblem) -> [UInt8] {
        guard let octets = source.octetsInMemory else {
            throw .bad("A string of more octets than are kept")
        }
        return octets
    }

    /// A literal, whose octets may have been handed on.
    mutating func source() throws(CommandProblem) -> any OctetSource {
        switch try read({ cursor throws(ParseFailure) in try cursor.literalData() }) {
        case .octets(let octets): return OctetArray(Array(octets))
        case .detached(let index, _) where literals.indices.contains(index): return literals[index]
        case .detached, .nil: throw .bad("A literal of more octets than are kept")
        }
    }

    /// The name of a mailbox.
    mutating func mailbox() throws(CommandProblem) -> MailboxName {
        let octets = try read { cursor throws(ParseFailure) in try cursor.astring() }
        guard !octets.isEmpty, octets.count <= 4 * MailboxName.lengthLimit,
            !octets.contains(where: { $0.isControl })
        else { throw .bad("No name of a mailbox") }
        return MailboxName(wire: octets, isUTF8: isUTF8)
    }

    /// The name of a mailbox, or `""`.
    mutating func mailboxIfNamed() throws(CommandProblem) -> MailboxName? {
        var look = cursor
        if let empty = try? look.astring(), empty.isEmpty {
            cursor = look
            return nil
        }
        return try mailbox()
    }

    // MARK: Numbers and flags

    mutating func messages<Number: MessageNumber>(
        _: Number.Type = Number.self
    ) throws(CommandProblem) -> MessageSelection<Number> {
        if cursor.takeIfPresent(UInt8(ascii: "$")) { return .searchResult }
        return .numbers(
            try read { cursor throws(ParseFailure) in try cursor.messageNumberSet() })
    }

    mutating func number() throws(CommandProblem) -> UInt32 {
        try read { cursor throws(ParseFailure) in try cursor.number() }
    }

    mutating func nzNumber() throws(CommandProblem) -> UInt32 {
        try read { cursor throws(ParseFailure) in try cursor.nzNumber() }
    }

    mutating func number64() throws(CommandProblem) -> UInt64 {
        try read { cursor throws(ParseFailure) in try cursor.number64() }
    }

    mutating func modSequence() throws(CommandProblem) -> ModSequence {
        try read { cursor throws(ParseFailure) in try cursor.modSequence() }
    }

    mutating func flag() throws(CommandProblem) -> MessageFlag {
        let flag = try read { cursor throws(ParseFailure) in try cursor.flag() }
        guard flag.isWellFormed else { throw failure("flag") }
        return flag
    }

    mutating func flags() throws(CommandProblem) -> [MessageFlag] {
        try list { reader throws(CommandProblem) in try reader.flag() }
    }

    /// `"17-Jul-1996 02:44:25 -0700"`.
    ///
    /// QUIRK(one-digit-day): clients leave out the space in front of a day of one digit.
    mutating func dateTime() throws(CommandProblem) -> MailDate {
        var look = cursor
        let text = try read { cursor throws(ParseFailure) in try cursor.string() }
        guard text.count == 25 else {
            cursor = look
            return try read { cursor throws(ParseFailure) in try cursor.internalDate() }
        }
        let padded = [ASCII.quote, ASCII.space] + text + [ASCII.quote]
        look = IMAPCursor(padded[...], isStrict: true)
        guard let date = try? look.internalDate() else { throw failure("date-time") }
        return date
    }

    // date = date-text / DQUOTE date-text DQUOTE
    mutating func date() throws(CommandProblem) -> CalendarDate {
        let octets = try read { cursor throws(ParseFailure) in try cursor.astring() }
        let parts = octets.split(separator: ASCII.hyphen, omittingEmptySubsequences: false)
        guard parts.count == 3, let day = Self.digits(parts[0], atMost: 2),
            let month = IMAPCursor.months.firstIndex(where: {
                $0.utf8.equalsIgnoringCase(parts[1])
            }), parts[2].count == 4, let year = Self.digits(parts[2], atMost: 4),
            let date = CalendarDate(year: year, month: month + 1, day: day)
        else { throw failure("date") }
        return date
    }

    private static func digits(_ octets: ArraySlice<UInt8>, atMost limit: Int) -> Int? {
        guard 1...limit ~= octets.count, octets.allSatisfy(\.isDigit) else { return nil }
        return octets.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }
}
