import MartletBytes

extension POP3 {
    /// One line as a person typed it. The session still knows what `AUTH`, `STLS`, `PASS` and so on lead to.
    ///
    /// Passwords and what follows `AUTH <mechanism>` are kept out of logs.
    public struct RawCommand: POP3Command {
        private let line: String
        private let publicCount: Int
        /// The verb in upper case.
        public let name: String
        /// From the verb and its arguments, unless the caller says it.
        public let answer: POP3Answer
        /// From the verb.
        public let effect: POP3Effect

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - line: without its line end.
        ///   - answer: what follows a positive reply; `nil`: as for the command of that name, `.line` for unknown ones.
        ///   - isAuthenticationResponse: whether it answers a challenge.
        /// - Throws: `.invalidInput` for a line that is empty, too long, or holds a control character.
        public init(
            _ line: String, answer: POP3Answer? = nil, isAuthenticationResponse: Bool = false
        ) throws(POP3Error) {
            self.line = try Arguments.text(line, "the line", "a raw command")
            guard !isAuthenticationResponse else {
                (name, self.answer, effect) = ("AUTH", .line, .authenticationResponse)
                publicCount = 0
                return
            }
            let words = line.utf8.split(separator: ASCII.space)
            name = String(decoding: (words.first ?? "".utf8[...]).map(\.uppercased), as: UTF8.self)
            self.answer = answer ?? Self.answer(name, arguments: words.count - 1)
            effect = Self.effect(name)
            publicCount = Self.publicCount(of: line, name)
        }

        private static func answer(_ verb: String, arguments: Int) -> POP3Answer {
            switch verb {
            case "CAPA": .lines
            case "LIST", "UIDL", "LANG", "AUTH": arguments <= 0 ? .lines : .line
            case "RETR", "TOP": .message
            default: .line
            }
        }

        private static func effect(_ verb: String) -> POP3Effect {
            switch verb {
            case "CAPA": .capabilities
            case "STLS": .startTLS
            // Who types sees the challenges, and knows whether a positive reply can be the end.
            case "AUTH": .authentication(responsesDue: 0)
            case "PASS", "APOP": .login
            case "DELE": .deletion
            case "RSET": .reset
            case "QUIT": .quit
            default: .none
            }
        }

        private static func publicCount(of line: String, _ verb: String) -> Int {
            let splits =
                switch verb {
                case "PASS": 1
                case "APOP", "AUTH": 2
                default: 0
                }
            guard splits > 0 else { return line.utf8.count }
            let words = line.utf8.split(separator: ASCII.space, maxSplits: splits)
            return words.count > splits
                ? line.utf8.count - words[splits].count : line.utf8.count
        }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text(String(Substring(line.utf8.prefix(publicCount))))
            let secret = line.utf8.dropFirst(publicCount)
            if !secret.isEmpty { output.secret(Secret(octets: secret)) }
            output.endOfLine()
        }

        /// Gives the reply, whatever it is.
        public func interpret(_ reply: POP3Reply) -> POP3Reply { reply }
    }
}
