extension IMAP {
    /// `ID`: tells who the client is and asks who the server is. RFC 2971.
    ///
    /// QUIRK(id-before-select): 163.com and 126.com refuse SELECT to those who did not introduce themselves.
    public struct Identify: IMAPCommand {
        /// What is told; nothing tells nothing.
        public var client: IDParameters

        /// Its words.
        public var name: String { "ID" }
        /// When it may be sent.
        public var scope: CommandScope { .anyTime }

        /// Makes one.
        public init(_ client: IDParameters = IDParameters()) { self.client = client }

        /// How many fields may be told, and their sizes in octets. RFC 2971 §3.3.
        static let limits = (fields: 30, name: 30, value: 1024)

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.id)
            let parameters = client.parameters
            guard parameters.count <= Self.limits.fields,
                parameters.allSatisfy({
                    $0.name.utf8.count <= Self.limits.name
                        && ($0.value?.utf8.count ?? 0) <= Self.limits.value
                        && !$0.name.utf8.contains(0) && $0.value?.utf8.contains(0) != true
                })
            else {
                throw .invalidInput("ID takes 30 fields with names of 30 and values of 1024 octets")
            }
            encoder.text("ID ")
            guard !parameters.isEmpty else { return encoder.text("NIL") }
            encoder.list(parameters) { encoder, parameter in
                encoder.string(parameter.name.utf8)
                encoder.space()
                encoder.nstring(parameter.value?.utf8)
            }
        }
        /// Something to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps what the server says of itself.
        public struct Collector: ResponseCollector {
            private var server = IDParameters()

            /// Takes an answer; see `ResponseCollector.receive(_:)`.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .id(let parameters) = response else { return .unclaimed }
                server = parameters
                return .consumed
            }

            /// What the command gives.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> IDParameters {
                server
            }
        }
    }
}
