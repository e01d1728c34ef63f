extension Sandbox.Fault: Codable {
    /// A member of an object by its name.
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ name: String) { stringValue = name }
    }

    private static let conditions = [
        "name", "protocol", "command", "user", "recipient", "mailbox", "after", "times",
    ]
    private static let actions = [
        "reply", "delay", "drop", "silence", "throttle", "capabilities", "cut", "renewUIDs",
        "preauthenticate",
    ]

    /// Reads an object as the documentation shows it.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a sentence for a member that means nothing, for no action or several, and
    ///   for a fault that cannot be.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Member.self)
        let names = object.allKeys.map(\.stringValue)
        if let unknown = names.first(where: { !(Self.conditions + Self.actions).contains($0) }) {
            throw Self.fail(
                decoder,
                "A fault has no \"\(unknown)\"; there are "
                    + (Self.conditions + Self.actions).joined(separator: ", ") + ".")
        }
        let given = Self.actions.filter(names.contains)
        guard given.count == 1, let action = given.first else {
            throw Self.fail(
                decoder,
                "A fault does one thing: give it one of "
                    + Self.actions.joined(separator: ", ") + ".")
        }
        func value<Value: Decodable>(_ name: String) throws -> Value? {
            try object.decodeIfPresent(Value.self, forKey: Member(name))
        }
        self.init(
            try Self.action(action, object, decoder), at: try value("command"),
            of: try Self.spoken(try value("protocol"), decoder), user: try value("user"),
            recipient: try value("recipient"),
            mailbox: try value("mailbox"), after: try value("after") ?? 0,
            times: try value("times"), name: try value("name"))
        do {
            try validate()
        } catch {
            throw Self.fail(decoder, error.description)
        }
    }

    private static func spoken(
        _ name: String?, _ decoder: any Decoder
    ) throws -> SandboxProtocol? {
        guard let name else { return nil }
        guard let spoken = SandboxProtocol(rawValue: name.lowercased()) else {
            throw fail(decoder, "protocol is smtp, lmtp, imap or pop3.")
        }
        return spoken
    }

    private static func fail(_ decoder: any Decoder, _ words: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: words))
    }

    private static func action(
        _ name: String, _ object: KeyedDecodingContainer<Member>, _ decoder: any Decoder
    ) throws -> Action {
        let key = Member(name)
        switch name {
        case "reply": return .reply(try object.decode(String.self, forKey: key))
        case "delay":
            let seconds = try object.decode(Double.self, forKey: key)
            // What is no number of seconds is none that is allowed, either.
            let isSmall = abs(seconds) < 1_000_000
            return .delay(isSmall ? .seconds(seconds) : .seconds(1_000_000))
        case "drop": return .drop(try object.decode(Moment.self, forKey: key))
        case "silence": return .silence(try object.decode(Moment.self, forKey: key))
        case "throttle":
            return .throttle(octetsPerSecond: try object.decode(Int.self, forKey: key))
        case "capabilities":
            let change = try object.nestedContainer(keyedBy: Member.self, forKey: key)
            try expect(change, ["add", "remove"], in: name, decoder)
            return .capabilities(
                add: try change.decodeIfPresent([String].self, forKey: Member("add")) ?? [],
                remove: try change.decodeIfPresent([String].self, forKey: Member("remove")) ?? [])
        case "cut": return .cut(octets: try object.decode(Int.self, forKey: key))
        case "renewUIDs":
            guard try object.decode(Bool.self, forKey: key) else {
                throw fail(decoder, "renewUIDs is true, or not there.")
            }
            return .renewUIDs
        default: return .preauthenticate(user: try object.decode(String.self, forKey: key))
        }
    }

    private static func expect(
        _ object: KeyedDecodingContainer<Member>, _ names: [String], in name: String,
        _ decoder: any Decoder
    ) throws {
        if let unknown = object.allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw fail(
                decoder,
                "\(name) has no \"\(unknown.stringValue)\"; there are "
                    + names.joined(separator: ", ") + ".")
        }
    }

    /// Writes the object that `init(from:)` reads.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Member.self)
        try object.encodeIfPresent(name, forKey: Member("name"))
        try object.encodeIfPresent(`protocol`, forKey: Member("protocol"))
        try object.encodeIfPresent(command, forKey: Member("command"))
        try object.encodeIfPresent(user, forKey: Member("user"))
        try object.encodeIfPresent(recipient, forKey: Member("recipient"))
        try object.encodeIfPresent(mailbox, forKey: Member("mailbox"))
        if after != 0 { try object.encode(after, forKey: Member("after")) }
        try object.encodeIfPresent(times, forKey: Member("times"))
        switch action {
        case .reply(let text): try object.encode(text, forKey: Member("reply"))
        case .delay(let delay): try object.encode(delay / .seconds(1), forKey: Member("delay"))
        case .drop(let moment): try object.encode(moment, forKey: Member("drop"))
        case .silence(let moment): try object.encode(moment, forKey: Member("silence"))
        case .throttle(let count): try object.encode(count, forKey: Member("throttle"))
        case .capabilities(let added, let removed):
            var change = object.nestedContainer(
                keyedBy: Member.self, forKey: Member("capabilities"))
            if !added.isEmpty { try change.encode(added, forKey: Member("add")) }
            if !removed.isEmpty { try change.encode(removed, forKey: Member("remove")) }
        case .cut(let count): try object.encode(count, forKey: Member("cut"))
        case .renewUIDs: try object.encode(true, forKey: Member("renewUIDs"))
        case .preauthenticate(let user):
            try object.encode(user, forKey: Member("preauthenticate"))
        }
    }
}

extension Sandbox.Fault.Moment: Codable {
    private enum Count: String, CodingKey, CaseIterable {
        case afterWriting, afterReading
    }

    /// Reads `"now"`, `"beforeReply"`, `{"afterWriting": 100}` or `{"afterReading": 100}`.
    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            switch word {
            case "now": self = .now
            case "beforeReply": self = .beforeReply
            default: throw Self.fail(decoder)
            }
            return
        }
        let object = try decoder.container(keyedBy: Count.self)
        switch object.allKeys {
        case [.afterWriting]:
            self = .afterWriting(octets: try object.decode(Int.self, forKey: .afterWriting))
        case [.afterReading]:
            self = .afterReading(octets: try object.decode(Int.self, forKey: .afterReading))
        default: throw Self.fail(decoder)
        }
    }

    private static func fail(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription:
                    "Say \"now\", \"beforeReply\", {\"afterWriting\": octets} or {\"afterReading\": octets}."
            ))
    }

    /// Writes what `init(from:)` reads.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .now: try "now".encode(to: encoder)
        case .beforeReply: try "beforeReply".encode(to: encoder)
        case .afterWriting(let count):
            var object = encoder.container(keyedBy: Count.self)
            try object.encode(count, forKey: .afterWriting)
        case .afterReading(let count):
            var object = encoder.container(keyedBy: Count.self)
            try object.encode(count, forKey: .afterReading)
        }
    }
}
