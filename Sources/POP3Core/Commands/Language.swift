import MartletBytes

extension POP3 {
    /// `LANG` alone: which languages the server can speak. RFC 6856 §3.2.
    ///
    ///     C: LANG
    ///     S: +OK Language listing follows
    ///     S: en English
    ///     S: de Deutsch
    ///     S: .
    public struct Languages: POP3Command {
        /// A language of a server.
        public struct Language: Hashable, Sendable {
            /// Its tag. RFC 5646.
            public var tag: String
            /// Its name in the language itself.
            public var name: String

            /// Makes a language.
            public init(tag: String, name: String) {
                self.tag = tag
                self.name = name
            }
        }

        /// Makes the command.
        public init() {}
        /// `LANG`.
        public var name: String { "LANG" }
        /// Lines.
        public var answer: POP3Answer { .lines }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("LANG")
            output.endOfLine()
        }

        /// Gives the languages.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> [Language] {
            try requireOK(reply)
            return reply.lines.compactMap { line in
                let words = line.split(maxSplits: 1, whereSeparator: \.isBlank).map {
                    String(decoding: $0, as: UTF8.self)
                }
                guard let tag = words.first else { return nil }
                return Language(tag: tag, name: words.count > 1 ? words[1] : "")
            }
        }
    }

    /// `LANG tag`: asks for the language of what the server says to people; `*` is its own choice. RFC 6856 §3.
    public struct Lang: POP3Command {
        /// The tag.
        public let tag: String

        /// Checks the tag.
        ///
        /// - Throws: `.invalidInput` for one that is empty or no single word.
        public init(_ tag: String) throws(POP3Error) {
            self.tag = try Arguments.text(tag, "the language", "LANG", allowsSpaces: false)
        }

        /// `LANG`.
        public var name: String { "LANG" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("LANG ")
            output.text(tag)
            output.endOfLine()
        }

        /// Gives the tag of the language that was chosen, and the server's words in it.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> Languages.Language {
            try requireOK(reply)
            let words = reply.text.split(separator: " ", maxSplits: 1).map(String.init)
            return Languages.Language(
                tag: words.first ?? tag, name: words.count > 1 ? words[1] : "")
        }
    }

    /// `UTF8`: messages come as they are, with UTF-8 in their headers, and user names may be UTF-8. Before a login only.
    /// RFC 6856 §2.
    public struct Utf8: POP3Command {
        /// Makes the command.
        public init() {}
        /// `UTF8`.
        public var name: String { "UTF8" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("UTF8")
            output.endOfLine()
        }

        /// Returns when it is on.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try requireOK(reply) }
    }
}
