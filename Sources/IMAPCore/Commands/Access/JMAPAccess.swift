extension IMAP {
    /// `GETJMAPACCESS`: asks for the URL under which the same mail is to be had by JMAP. RFC 9698.
    ///
    ///     C: M4 GETJMAPACCESS
    ///     S: * JMAPACCESS "https://example.com/.well-known/jmap"
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.missingResponse` where it said nothing.
    public struct GetJMAPAccess: IMAPCommand, Hashable {
        /// Its words.
        public var name: String { "GETJMAPACCESS" }

        /// Makes one.
        public init() {}

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.jmapAccess)
            encoder.text("GETJMAPACCESS")
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Keeps the answer.
        public struct Collector: ResponseCollector {
            private var url: String?

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .jmapAccess(let url) = response else { return .unclaimed }
                self.url = url
                return .consumed
            }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> String {
                guard let url else {
                    throw IMAPError(kind: .missingResponse("the URL"), command: "GETJMAPACCESS")
                }
                return url
            }
        }
    }
}
