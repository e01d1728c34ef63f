import MartletBytes

extension CommandParser {
    static let sessionCommands: [String: Rule] = [
        "CAPABILITY": { _ throws(CommandProblem) in .capability },
        "NOOP": { _ throws(CommandProblem) in .noop },
        "LOGOUT": { _ throws(CommandProblem) in .logout },
        "STARTTLS": { _ throws(CommandProblem) in .startTLS },
        "IDLE": { _ throws(CommandProblem) in .idle },
        "UNAUTHENTICATE": { _ throws(CommandProblem) in .unauthenticate },
        "CHECK": { _ throws(CommandProblem) in .check },
        "COMPRESS": { reader throws(CommandProblem) in
            try reader.space()
            try reader.word("DEFLATE")
            return .compress
        },
        "LOGIN": { reader throws(CommandProblem) in
            try reader.space()
            let user = try reader.astring()
            try reader.space()
            let password = try reader.read { cursor throws(ParseFailure) in try cursor.astring() }
            return .login(IMAP.Login(user: user, password: Secret(octets: password)))
        },
        "AUTHENTICATE": { reader throws(CommandProblem) in .authenticate(try reader.authenticate())
        },
        "ENABLE": { reader throws(CommandProblem) in
            try reader.space()
            let words = try reader.words { reader throws(CommandProblem) in
                Capability(try reader.atom())
            }
            return .enable(IMAP.Enable(words))
        },
        "ID": { reader throws(CommandProblem) in .identify(try reader.identify()) },
        "LANGUAGE": { reader throws(CommandProblem) in
            .language(IMAP.Language(try reader.optionalWords(IMAP.Language.rangeLimit)))
        },
        "COMPARATOR": { reader throws(CommandProblem) in
            .comparator(IMAP.Comparator(try reader.optionalWords(IMAP.Comparator.comparatorLimit)))
        },
    ]
}

extension CommandReader {
    // authenticate = "AUTHENTICATE" SP auth-type [SP initial-resp] ; RFC 4959
    fileprivate mutating func authenticate() throws(CommandProblem) -> IMAP.Authenticate {
        try space()
        let mechanism = try keyword()
        var response: Secret?
        if spaceIfPresent(), !cursor.isAtEnd {
            let octets = cursor.prefix {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
                    || $0 == ASCII.equals
            }
            guard !octets.isEmpty else { throw failure("base64") }
            response = Secret(octets: octets)
        }
        guard let command = try? IMAP.Authenticate(mechanism: mechanism, initialResponse: response)
        else { throw failure("auth-type") }
        return command
    }

    // id = "ID" SP id-params-list ; RFC 2971 §4
    fileprivate mutating func identify() throws(CommandProblem) -> IMAP.Identify {
        try space()
        if cursor.nilIfPresent() { return IMAP.Identify() }
        let parameters = try list { reader throws(CommandProblem) in
            let name = try reader.read { cursor throws(ParseFailure) in try cursor.string() }
            try reader.space()
            let value = try reader.read { cursor throws(ParseFailure) in try cursor.nstring() }
            return IDParameters.Parameter(
                name: try reader.text(of: name),
                value: try value.map { octets throws(CommandProblem) in try reader.text(of: octets)
                })
        }
        guard parameters.count <= IMAP.Identify.limits.fields else {
            throw .bad("ID takes \(IMAP.Identify.limits.fields) fields")
        }
        return IMAP.Identify(IDParameters(parameters))
    }

    fileprivate mutating func optionalWords(_ limit: Int) throws(CommandProblem) -> [String] {
        guard spaceIfPresent(), !cursor.isAtEnd else { return [] }
        let words = try words { reader throws(CommandProblem) in try reader.astring() }
        guard words.count <= limit else { throw .bad("More than \(limit) words") }
        return words
    }
}
