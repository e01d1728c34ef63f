extension IMAP {
    /// `CAPABILITY`: what the server can do. The session takes note of it. RFC 9051 §6.1.1.
    public struct CapabilityCommand: IMAPCommand {
        /// Its words.
        public var name: String { "CAPABILITY" }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) { encoder.text("CAPABILITY") }
        /// Something to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps the last list.
        public struct Collector: ResponseCollector {
            private var capabilities: Capabilities?

            /// Takes an answer; see `ResponseCollector.receive(_:)`.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .capability(let words) = response else { return .unclaimed }
                capabilities = Capabilities(words)
                return .consumed
            }

            /// What the command gives.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> Capabilities {
                // QUIRK(capability-in-code): some answer in the code of OK.
                if capabilities == nil, case .capability(let words) = text.code {
                    return Capabilities(words)
                }
                guard let capabilities else {
                    throw IMAPError(
                        kind: .missingResponse("the capabilities"), command: "CAPABILITY")
                }
                return capabilities
            }
        }
    }

    /// `ENABLE`: switches extensions on. Gives those that the server has switched on. RFC 9051 §6.3.1.
    public struct Enable: IMAPCommand {
        /// What to switch on.
        public var capabilities: [Capability]

        /// Its words.
        public var name: String { "ENABLE" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }

        /// Makes one.
        public init(_ capabilities: [Capability]) { self.capabilities = capabilities }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.enable)
            guard !capabilities.isEmpty,
                capabilities.allSatisfy({
                    !$0.rawValue.isEmpty && $0.rawValue.utf8.allSatisfy(\.isAtomOctet)
                })
            else { throw .invalidInput("ENABLE needs names of extensions") }
            encoder.text("ENABLE ")
            encoder.words(capabilities) { $0.raw($1.rawValue.utf8) }
        }
        /// Something to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Gathers what was switched on.
        public struct Collector: ResponseCollector {
            private var enabled: [Capability] = []

            /// Takes an answer; see `ResponseCollector.receive(_:)`.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .enabled(let words) = response else { return .unclaimed }
                enabled += words
                return .consumed
            }

            /// What the command gives.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [Capability] {
                enabled
            }
        }
    }
}
