import MartletBytes

/// A part of a message: the message itself, a body part of a multipart, or a message inside of a message. RFC 2045 §2.
public struct Part: Sendable {
    /// What a part is made of.
    public enum Kind: Sendable, Hashable {
        /// A body: a text, a file.
        case leaf
        /// Body parts; see `children`.
        case multipart
        /// A message, which is its one child.
        case message
    }

    let table: PartTable
    let index: Int

    var record: PartRecord { table.parts[index] }

    /// What the part is made of.
    public var kind: Kind {
        switch record.kind {
        case .leaf: .leaf
        case .multipart: .multipart
        case .message: .message
        }
    }

    /// The part that this one is in; `nil` for the root.
    public var parent: Part? { part(record.parent) }

    /// The parts in this one.
    public var children: Children { Children(next: part(record.firstChild)) }

    /// The message that a part of the kind `message` is: its header and body; `nil` for others.
    public var embeddedMessage: Part? { kind == .message ? part(record.firstChild) : nil }

    /// How many parts this one is in.
    public var depth: Int { Int(record.depth) }

    private func part(_ index: Int32) -> Part? {
        index < 0 ? nil : Part(table: table, index: Int(index))
    }

    /// What is wrong with the part's structure; offsets are of `octets`.
    public var defects: [Defect] {
        table.defects(of: index).map(\.defect)
    }

    // MARK: Octets

    /// The octets that the part's ranges are of: the message's, or, for what lies in an encoded container, the decoded ones.
    public var octets: Octets { table.sources[Int(record.source)] }

    /// Whether the part was found in the decoded body of another one.
    public var isInEncodedContainer: Bool { record.source > 0 }

    /// Header and body. The line end before a delimiter belongs to the delimiter.
    public var range: Range<Int> { record.start..<record.end }

    /// The header with the empty line that ends it.
    public var headerRange: Range<Int> { record.start..<record.bodyStart }

    /// The body as it stands, not decoded.
    public var bodyRange: Range<Int> { record.bodyStart..<record.end }

    /// The text of a multipart before its first part, for programs that do not know MIME. Empty in other parts.
    public var preambleRange: Range<Int> {
        record.bodyStart..<max(record.bodyStart, record.preambleEnd)
    }

    /// The text of a multipart behind its closing delimiter. Empty in other parts.
    public var epilogueRange: Range<Int> {
        record.epilogueStart..<max(record.epilogueStart, record.end)
    }

    /// Calls `body` with the octets of the body as they stand.
    public func withRawBody<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = bodyRange
        return try octets.withUnsafeBytes { (octets) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: octets[range]))
        }
    }

    /// The parts in a part.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        fileprivate var upcoming: Part?

        fileprivate init(next: Part?) { upcoming = next }

        /// The next part.
        public mutating func next() -> Part? {
            defer { upcoming = upcoming.flatMap { $0.part($0.record.nextSibling) } }
            return upcoming
        }
    }
}
