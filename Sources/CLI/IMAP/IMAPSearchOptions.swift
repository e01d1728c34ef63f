import MartletCommandLineParsing
import MartletIMAP

/// What messages must be like: all that is given must hold.
enum IMAPSearchOptions {
    static let from = text("from", "Whose sender's name or address holds this text.")
    static let to = text("to", "Whose recipients' names or addresses hold this text.")
    static let subject = text("subject", "Whose subject holds this text.")
    static let body = text("body", "Whose body holds this text.")
    static let text = text("text", "That hold this text anywhere, header or body.")
    static let keyword = Option(
        "with", .flag, isRepeatable: true, help: "That have this flag, such as flagged or $Junk.")
    static let noKeyword = Option(
        "without", .flag, isRepeatable: true, help: "That do not have this flag, such as seen.")
    static let since = Option(
        "since", .day, help: "That came on this day or later.")
    static let before = Option(
        "before", .day, help: "That came before this day.")
    static let larger = Option(
        "larger", .integer("OCTETS", in: 0...Int(UInt32.max)),
        help: "Larger than so many octets.")
    static let smaller = Option(
        "smaller", .integer("OCTETS", in: 0...Int(UInt32.max)),
        help: "Smaller than so many octets.")
    static let uids = Option("uid", .uids, help: "Only among these UIDs.")
    static let gmail = text("gmail", "That Gmail's own search finds by these words.")
    static let query = Option(
        "query", .searchKey,
        help: "In IMAP's own words, RFC 9051 §6.4.4: 'OR FROM ann NOT SEEN'.")

    static let group = CommandDefinition.Group(
        "Messages",
        [
            from, to, subject, body, text, keyword, noKeyword, since, before, larger, smaller, uids,
            gmail, query,
        ])

    private static func text(_ name: String, _ help: String) -> Option<String> {
        Option(name, .text("TEXT"), isRepeatable: true, help: help)
    }

    /// The keys that must all hold.
    static func key(of parsed: ParsedCommand) -> SearchKey {
        var keys: [SearchKey] = []
        keys += parsed.all(from).map { .from($0) }
        keys += parsed.all(to).map { .to($0) }
        keys += parsed.all(subject).map { .subject($0) }
        keys += parsed.all(body).map { .body($0) }
        keys += parsed.all(text).map { .text($0) }
        keys += parsed.all(keyword).map { with($0.flag) }
        keys += parsed.all(noKeyword).map { .not(with($0.flag)) }
        if let day = parsed[since] { keys.append(.since(day)) }
        if let day = parsed[before] { keys.append(.before(day)) }
        if let octets = parsed[larger] { keys.append(.larger(UInt64(octets))) }
        if let octets = parsed[smaller] { keys.append(.smaller(UInt64(octets))) }
        if let set = parsed[uids] { keys.append(.uid(set)) }
        keys += parsed.all(gmail).map { .gmailRaw($0) }
        if let key = parsed[query] { keys.append(key) }
        return keys.isEmpty ? .all : .and(keys)
    }

    private static func with(_ flag: MessageFlag) -> SearchKey {
        switch flag {
        case .seen: .seen
        case .answered: .answered
        case .flagged: .flagged
        case .deleted: .deleted
        case .draft: .draft
        case .recent: .recent
        default: .keyword(flag)
        }
    }
}

extension ValueKind where Value == CalendarDate {
    /// A day as ISO 8601 has it.
    static var day: Self {
        Self(placeholder: "DAY", allowed: "Written as 2026-11-30.") { text throws(ValueProblem) in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard text.utf8.count == 10, parts.count == 3, parts[0].utf8.count == 4,
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
                let date = CalendarDate(year: year, month: month, day: day)
            else { throw ValueProblem("is no day; one is written as 2026-11-30") }
            return date
        }
    }
}

extension ValueKind where Value == SearchKey {
    /// A search program.
    static var searchKey: Self {
        Self(placeholder: "KEYS") { text throws(ValueProblem) in
            do throws(CommandProblem) {
                return try SearchKey.read(text)
            } catch {
                throw ValueProblem("is no search: \(error.text.words)")
            }
        }
    }
}
