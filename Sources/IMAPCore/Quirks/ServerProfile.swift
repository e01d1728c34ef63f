import MartletBytes

/// What is known of a kind of server that others do not do: how it is recognised, and what is done about it.
public struct ServerProfile: Hashable, Sendable {
    /// Its name, such as `Gmail`.
    public let name: String
    /// How it is recognised.
    public let signs: [Sign]
    /// What is done about it.
    public let measures: [Measure]

    /// Something that only such a server says or has.
    public enum Sign: Hashable, Sendable {
        /// The greeting holds these words, whatever their case.
        case greeting(String)
        /// The server lists this capability.
        case capability(Capability)
        /// The answer to ID has these words in its `name` or `vendor`, whatever their case.
        case identity(String)
        /// The host's name ends with this.
        case host(String)
    }

    /// What is done.
    public enum Measure: Hashable, Sendable {
        /// The extension is not used though it is offered; the text says why.
        case distrust(Capability, why: String)
        /// No command line is longer, in octets.
        case commandLimit(Int)
        /// No more connections are opened at once.
        case connectionLimit(Int)
        /// IDLE is asked for anew after so many seconds.
        case idleRenewal(seconds: Int)
        /// ID goes before the first SELECT, and must tell a name.
        case identifyFirst
        /// Every literal waits for `+`, whatever is offered.
        case synchronizingLiterals
        /// MAILBOXID is asked for by STATUS, not by LIST.
        case mailboxIDApart
        /// Something that needs no measure of its own: what all servers are forgiven covers it.
        case forgiven(String)
    }

    init(_ name: String, _ signs: [Sign], _ measures: [Measure]) {
        self.name = name
        self.signs = signs
        self.measures = measures
    }

    /// The extensions that are not used.
    public var distrusted: Set<Capability> {
        Set(
            measures.compactMap {
                if case .distrust(let capability, _) = $0 { capability } else { nil }
            })
    }

    /// The longest command line in octets; `nil`: not known.
    public var commandLimitInOctets: Int? {
        measures.lazy.compactMap { if case .commandLimit(let limit) = $0 { limit } else { nil } }
            .first
    }

    /// How many connections may be open at once; `nil`: not known.
    public var connectionLimit: Int? {
        measures.lazy.compactMap { if case .connectionLimit(let limit) = $0 { limit } else { nil } }
            .first
    }

    /// After how many seconds IDLE is asked for anew; `nil`: as usual.
    public var idleRenewalInSeconds: Int? {
        measures.lazy.compactMap { if case .idleRenewal(let seconds) = $0 { seconds } else { nil } }
            .first
    }

    /// The profile that fits; `nil` for a server about which nothing is known.
    public static func recognized(
        host: String, greeting: String, capabilities: Capabilities, identity: IDParameters?
    ) -> ServerProfile? {
        let host = Array(host.utf8.map(\.lowercased))
        let greeting = Array(greeting.utf8.map(\.lowercased))
        let identities = ["name", "vendor"].compactMap { identity?[$0] }.map {
            Array($0.utf8.map(\.lowercased))
        }
        return all.first { profile in
            profile.signs.contains { sign in
                switch sign {
                case .greeting(let words): greeting.holds(Array(words.utf8))
                case .capability(let capability): capabilities.has(capability)
                case .identity(let words): identities.contains { $0.holds(Array(words.utf8)) }
                case .host(let end): host.reversed().starts(with: end.utf8.reversed())
                }
            }
        }
    }
}

extension ServerProfile.Measure: CustomStringConvertible {
    /// What is done, in words.
    public var description: String {
        switch self {
        case .distrust(let capability, let why): "\(capability) is not used: \(why)"
        case .commandLimit(let limit): "no command is longer than \(limit) octets"
        case .connectionLimit(let limit): "at most \(limit) connections"
        case .idleRenewal(let seconds): "IDLE is renewed every \(seconds) s"
        case .identifyFirst: "it is told a name before a mailbox is opened"
        case .synchronizingLiterals: "no literal is sent before the server asks for it"
        case .mailboxIDApart: "MAILBOXID is asked for by STATUS, not by LIST"
        case .forgiven(let what): "forgiven: \(what)"
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ words: [UInt8]) -> Bool {
        guard count >= words.count else { return false }
        return (0...(count - words.count)).contains { self[$0...].starts(with: words) }
    }
}
