import MartletBytes

/// What a server said it can do, from its reply to `CAPA`. RFC 2449 §5.
public struct POP3Capabilities: Hashable, Sendable {
    /// Most lines that are read; more are left out.
    public static let countLimit = 200

    /// Every capability in the order given, with its parameters. Unknown ones are kept.
    public var all: [(name: POP3Capability, parameters: [String])] {
        zip(names, parameterLists).map { ($0, $1) }
    }
    /// SASL mechanisms in upper case, in the order given.
    public private(set) var authenticationMechanisms: [String] = []
    /// How long mail is kept; `nil`: the server does not say. RFC 2449 §6.7.
    public private(set) var expiry: MailExpiry?
    /// How long to wait from one login to the next; `nil`: the server does not ask for it. RFC 2449 §6.5.
    public private(set) var loginDelay: Duration?
    /// What the server is, in its own words. RFC 2449 §6.9.
    public private(set) var implementation: String?

    private var names: [POP3Capability] = []
    private var parameterLists: [[String]] = []
    // Asked for with every command, so kept as a bit.
    private(set) var supportsPipelining = false

    /// Nothing but what RFC 1939 asks of every server.
    public init() {}

    /// Reads the lines of a reply to `CAPA`.
    public init(_ reply: POP3Reply) {
        for line in reply.lines.prefix(Self.countLimit) {
            let words = line.split(whereSeparator: \.isBlank).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard let first = words.first else { continue }
            add(POP3Capability(first), Array(words.dropFirst()))
        }
    }

    private mutating func add(_ name: POP3Capability, _ parameters: [String]) {
        names.append(name)
        parameterLists.append(parameters)
        switch name {
        case .sasl:
            for mechanism in parameters.map({ POP3Capability($0).name })
            where !authenticationMechanisms.contains(mechanism) {
                authenticationMechanisms.append(mechanism)
            }
        case .pipelining: supportsPipelining = true
        case .expire: expiry = parameters.first.flatMap { MailExpiry($0) } ?? expiry
        case .loginDelay:
            // "USER" behind the number: users differ, and after a login the server says it once more. RFC 2449 §6.5.
            if let seconds = parameters.first.flatMap({ Int64($0) }), seconds >= 0 {
                loginDelay = .seconds(min(seconds, Self.longestDelayInSeconds))
            }
        case .implementation: implementation = parameters.joined(separator: " ")
        default: break
        }
    }

    /// A day: nobody means more.
    private static let longestDelayInSeconds: Int64 = 86_400

    /// Whether the server offers `name`.
    public func has(_ name: POP3Capability) -> Bool { names.contains(name) }

    /// The parameters of `name` in its first line, `nil` when it is not offered.
    public func parameters(of name: POP3Capability) -> [String]? {
        names.firstIndex(of: name).map { parameterLists[$0] }
    }

    /// Whether a user name or password may be UTF-8, once `UTF8` has been said. RFC 6856 §2.1.
    public var takesUTF8Users: Bool {
        parameters(of: .utf8)?.contains { POP3Capability($0) == .user } ?? false
    }
}

/// How long a server keeps mail that has been read. RFC 2449 §6.7.
public enum MailExpiry: Hashable, Sendable, CustomStringConvertible {
    /// For ever, as far as the server cares.
    case never
    /// At least so many days; with 0, mail must not be left on the server.
    case days(Int)

    // "EXPIRE" ("NEVER" / 1*DIGIT) ["USER"] ; RFC 2449 §6.7
    init?(_ word: String) {
        if POP3Capability(word).name == "NEVER" {
            self = .never
        } else if let days = Int(word), days >= 0 {
            self = .days(days)
        } else {
            return nil
        }
    }

    /// `NEVER`, or the number of days.
    public var description: String {
        switch self {
        case .never: "NEVER"
        case .days(let days): "\(days)"
        }
    }
}
