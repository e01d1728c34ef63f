import MartletBytes

extension IMAP {
    /// A command in the caller's own words, for what has no type here. Gives all untagged responses until its end.
    ///
    /// It must not change what a connection is: not STARTTLS, AUTHENTICATE, LOGIN, COMPRESS, IDLE, SELECT or LOGOUT.
    public struct RawCommand: IMAPCommand {
        /// The words and strings.
        public let parts: [Part]

        /// A piece of the command.
        public enum Part: Hashable, Sendable {
            /// Words as they are, without line ends.
            case words(String)
            /// A string, sent in quotes or as a literal.
            case string([UInt8])
            /// A string, always sent as a literal.
            case literal([UInt8])
        }

        /// Its words.
        public var name: String {
            guard case .words(let words) = parts.first else { return "" }
            return String(words.prefix { $0 != " " })
        }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }

        /// Makes one, such as `try IMAP.RawCommand("XLIST \"\" *")`.
        ///
        /// - Throws: `.invalidInput` for words with line ends, NUL or a literal's `{n}` at the end, and for commands that
        ///   change what the connection is.
        public init(_ words: String) throws(IMAPError) { try self.init([.words(words)]) }

        /// Makes one of several parts, which are sent one behind the other: blanks between them are the caller's.
        ///
        /// - Throws: see the other form.
        public init(_ parts: [Part]) throws(IMAPError) {
            self.parts = parts
            for case .words(let words) in parts {
                guard words.utf8.allSatisfy({ !$0.isLineBreak && $0 != ASCII.nul }),
                    words.utf8.last != UInt8(ascii: "}")
                else {
                    throw .invalidInput(
                        "a raw command cannot hold line ends, NUL, or announce a literal by itself")
                }
            }
            for case .string(let octets) in parts where octets.contains(ASCII.nul) {
                throw .invalidInput("a string cannot hold NUL")
            }
            guard !name.isEmpty, name.utf8.allSatisfy(\.isAtomOctet) else {
                throw .invalidInput("a raw command begins with its name")
            }
            guard !Self.forbidden.contains(where: { $0.utf8.equalsIgnoringCase(name.utf8) }) else {
                throw .invalidInput("\(name) changes the connection and has a call of its own")
            }
        }

        private static let forbidden = [
            "STARTTLS", "AUTHENTICATE", "LOGIN", "COMPRESS", "IDLE", "SELECT", "EXAMINE", "CLOSE",
            "UNSELECT", "LOGOUT",
            "UNAUTHENTICATE",
        ]

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            for part in parts {
                switch part {
                case .words(let words): encoder.raw(words.utf8)
                case .string(let octets): encoder.string(octets)
                case .literal(let octets): encoder.literal(octets)
                }
            }
        }
        /// Something to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Gathers everything.
        public struct Collector: ResponseCollector {
            private var responses: [IMAPResponse] = []

            /// Takes an answer; see `ResponseCollector.receive(_:)`.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                responses.append(response)
                return .consumed
            }

            /// What the command gives.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> (responses: [IMAPResponse], text: ResponseText) {
                (responses, text)
            }
        }
    }
}
