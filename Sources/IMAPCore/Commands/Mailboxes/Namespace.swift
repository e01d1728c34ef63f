extension IMAP {
    /// `NAMESPACE`: asks where whose mailboxes are. RFC 9051 §6.3.10, RFC 2342.
    ///
    ///     C: M4 NAMESPACE
    ///     S: * NAMESPACE (("" "/")) (("~" "/")) NIL
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.missingResponse` where it said nothing.
    public struct Namespace: IMAPCommand, Hashable {
        /// Its words.
        public var name: String { "NAMESPACE" }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.namespace)
            encoder.text("NAMESPACE")
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            private var answer: NamespaceResponse?

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .namespace(let namespaces) = response else { return .unclaimed }
                answer = namespaces
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> NamespaceResponse {
                guard let answer else {
                    throw IMAPError(kind: .missingResponse("the namespaces"), command: "NAMESPACE")
                }
                return answer
            }
        }
    }
}
