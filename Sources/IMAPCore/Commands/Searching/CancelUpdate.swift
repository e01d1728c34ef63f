extension IMAP {
    /// `CANCELUPDATE`: the server no longer tells of changes of searches' results. RFC 5267 §4.5.
    ///
    ///     C: M4 CANCELUPDATE "M1" "M2"
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for none, or for what is no tag.
    public struct CancelUpdate: IMAPCommand, Hashable {
        /// The tags of the searches: `SearchResult.tag`. Up to `tagLimit`.
        public var tags: [String]

        /// How many searches may be named.
        public static let tagLimit = 1_000

        /// Its words.
        public var name: String { "CANCELUPDATE" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }

        /// Makes one.
        public init(_ tags: [String]) { self.tags = tags }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            if !encoder.capabilities.has(.contextSort) { try encoder.require(.contextSearch) }
            guard !tags.isEmpty, tags.count <= Self.tagLimit else {
                throw .invalidInput("CANCELUPDATE takes 1 to \(Self.tagLimit) tags")
            }
            encoder.text("CANCELUPDATE ")
            try encoder.words(tags) { encoder, tag throws(IMAPError) in
                guard !tag.isEmpty, tag.utf8.count <= CommandEncoder.quotedLimitInOctets,
                    tag.utf8.allSatisfy({ $0.isAtomOctet && $0 != UInt8(ascii: "+") })
                else { throw .invalidInput("\"\(tag.excerpt)\" is no tag") }
                encoder.string(tag.utf8)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
