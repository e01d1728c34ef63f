import MartletBytes

/// A command as a server reads it. RFC 1939 §3, RFC 2449 §4.
enum POP3ServerCommand: Sendable {
    case capa
    case stls
    case user(String)
    case pass(Secret)
    case apop(user: String, digest: Secret)
    case auth(mechanism: String, initialResponse: Secret?)
    case authList
    case stat
    case list(Int?)
    case uidl(Int?)
    case top(Int, lines: Int)
    case retr(Int)
    case dele(Int)
    case rset
    case noop
    case quit
    case utf8
    case lang(String?)

    /// Its verb, in upper case.
    var verb: String {
        switch self {
        case .capa: "CAPA"
        case .stls: "STLS"
        case .user: "USER"
        case .pass: "PASS"
        case .apop: "APOP"
        case .auth, .authList: "AUTH"
        case .stat: "STAT"
        case .list: "LIST"
        case .uidl: "UIDL"
        case .top: "TOP"
        case .retr: "RETR"
        case .dele: "DELE"
        case .rset: "RSET"
        case .noop: "NOOP"
        case .quit: "QUIT"
        case .utf8: "UTF8"
        case .lang: "LANG"
        }
    }

    /// Why a line is no command: what to answer.
    struct Failure: Error {
        var text: String
    }

    /// Reads a line without its line end.
    init(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) {
        let verb = line.prefix { !$0.isBlank }
        let rest = line[min(verb.endIndex + 1, line.endIndex)...]
        switch String(decoding: verb.map(\.uppercased), as: UTF8.self) {
        case "CAPA": self = try Self.alone(rest, .capa)
        case "STLS": self = try Self.alone(rest, .stls)
        case "USER": self = .user(try Self.name(rest, "USER name"))
        // A password may begin and end with spaces. RFC 1939 §7: all of the rest of the line is the password.
        case "PASS": self = .pass(Secret(octets: rest))
        case "APOP": self = try Self.apop(rest)
        case "AUTH": self = try Self.auth(rest)
        case "STAT": self = try Self.alone(rest, .stat)
        case "LIST": self = .list(try Self.numbers(rest, 0...1, "LIST [message]").first)
        case "UIDL": self = .uidl(try Self.numbers(rest, 0...1, "UIDL [message]").first)
        case "TOP":
            let numbers = try Self.numbers(rest, 2...2, "TOP message lines")
            self = .top(numbers[0], lines: numbers[1])
        case "RETR": self = .retr(try Self.numbers(rest, 1...1, "RETR message")[0])
        case "DELE": self = .dele(try Self.numbers(rest, 1...1, "DELE message")[0])
        case "RSET": self = try Self.alone(rest, .rset)
        case "NOOP": self = try Self.alone(rest, .noop)
        case "QUIT": self = try Self.alone(rest, .quit)
        case "UTF8": self = try Self.alone(rest, .utf8)
        case "LANG":
            let words = try Self.words(rest, 0...1, "LANG [tag]")
            self = .lang(words.first)
        default: throw Failure(text: "Unknown command")
        }
    }

    private static func alone(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ command: POP3ServerCommand
    ) throws(Failure) -> POP3ServerCommand {
        guard rest.allSatisfy(\.isBlank) else {
            throw Failure(text: "This command takes no argument")
        }
        return command
    }

    private static func words(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ count: ClosedRange<Int>, _ syntax: String
    ) throws(Failure) -> [String] {
        let words = rest.split(maxSplits: count.upperBound + 1, whereSeparator: \.isBlank)
        guard count ~= words.count, !rest.contains(where: { $0.isControl && $0 != ASCII.tab })
        else { throw Failure(text: "Say \(syntax)") }
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw Failure(text: "Say \(syntax)")
            }
            texts.append(text)
        }
        return texts
    }

    private static func numbers(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ count: ClosedRange<Int>, _ syntax: String
    ) throws(Failure) -> [Int] {
        var numbers: [Int] = []
        for word in try words(rest, count, syntax) {
            // Only digits: `+1` is no number here. What does not fit is more than any maildrop has.
            guard word.utf8.allSatisfy(\.isDigit) else { throw Failure(text: "Say \(syntax)") }
            numbers.append(Int(word) ?? .max)
        }
        return numbers
    }

    /// A user name: all of the rest of the line but the spaces around it.
    private static func name(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ syntax: String
    ) throws(Failure) -> String {
        var rest = rest
        while let first = rest.first, first.isBlank { rest.removeFirst() }
        while let last = rest.last, last.isBlank { rest.removeLast() }
        guard !rest.isEmpty, !rest.contains(where: \.isControl),
            let text = String(validating: rest, as: UTF8.self)
        else { throw Failure(text: "Say \(syntax)") }
        return text
    }

    // "APOP" SP name SP digest ; RFC 1939 §7. A name may have spaces for all that is known.
    private static func apop(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(Failure) -> POP3ServerCommand {
        guard let space = rest.lastIndex(where: \.isBlank) else {
            throw Failure(text: "Say APOP name digest")
        }
        let digest = rest[(space + 1)...]
        guard digest.count == 32, digest.allSatisfy({ $0.hexValue != nil }) else {
            throw Failure(text: "Say APOP name digest")
        }
        return .apop(
            user: try name(rest[..<space], "APOP name digest"),
            digest: Secret(octets: digest.map(\.lowercased)))
    }

    // "AUTH" [SP mechanism [SP initial-response]] ; RFC 5034 §4
    private static func auth(
        _ rest: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(Failure) -> POP3ServerCommand {
        let words = try words(rest, 0...2, "AUTH mechanism [initial response]")
        guard let first = words.first else { return .authList }
        let mechanism = String(decoding: first.utf8.map(\.uppercased), as: UTF8.self)
        guard words.count == 2 else { return .auth(mechanism: mechanism, initialResponse: nil) }
        if words[1] == "=" {
            return .auth(mechanism: mechanism, initialResponse: Secret(octets: []))
        }
        guard let response = Base64.secret(words[1].utf8) else {
            throw Failure(text: "The response is not base64")
        }
        return .auth(mechanism: mechanism, initialResponse: response)
    }
}
