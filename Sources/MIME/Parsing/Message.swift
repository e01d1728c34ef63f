import MartletBytes

/// A message as it was received or stored. RFC 5322, RFC 2045.
///
///     let message = Message(parsing: octets)
///     print(message.subject ?? "", message.from.mailboxes)
///     for part in message.parts where part.kind == .leaf { … }
///
/// Reading never fails: what is not as the RFCs say is read as well as it can be, and listed in `defects`. The octets are
/// not copied and do not change; a message that nobody touches is written back as it is. Only the structure is found at
/// first, in one pass; fields and bodies are decoded when they are asked for.
public struct Message: Sendable {
    let table: PartTable

    init(table: PartTable) { self.table = table }

    /// Reads a message in memory or in a mapped file.
    public init(parsing octets: Octets, limits: MIMELimits = .standard) {
        var scanner = StructureScanner(limits: limits)
        octets.withUnsafeBytes { scanner.scan($0, isFinal: true) }
        var builder = PartTableBuilder(octets, scanned: scanner)
        table = builder.finish()
    }

    /// Reads a message in memory.
    public init(parsing octets: [UInt8], limits: MIMELimits = .standard) {
        self.init(parsing: Octets(octets), limits: limits)
    }

    /// The message, octet for octet.
    public var octets: Octets { table.sources[0] }

    /// The message as a part: its header and its body.
    public var root: Part { Part(table: table, index: 0) }

    /// All parts, each before its children: the root, the parts of multiparts, and the parts of messages inside of it.
    public var parts: PartSequence { PartSequence(table: table) }

    /// What is wrong with the structure of the message and its parts. Fields and bodies have their own defects, which show
    /// when they are decoded.
    public var defects: [Defect] { table.defects.map(\.defect) }
}

/// The fields of the message's header; see `Part`.
extension Message {
    /// The header fields of the message.
    public var header: PartHeader { root.header }
    /// The subject as text.
    public var subject: String? { root.subject }
    /// The authors.
    public var from: AddressList { root.from }
    /// The recipients.
    public var to: AddressList { root.to }
    /// Those who got a copy.
    public var cc: AddressList { root.cc }
    /// When the author says the message was completed.
    public var date: MailDate? { root.date }
    /// The name of the message.
    public var messageID: MessageReference? { root.messageID }
}

/// The parts of a message, each before its children.
public struct PartSequence: Sequence, Sendable {
    let table: PartTable

    /// Starts at the root.
    public func makeIterator() -> Iterator { Iterator(table: table) }

    /// Goes from part to part.
    public struct Iterator: IteratorProtocol {
        let table: PartTable
        private var index = 0

        init(table: PartTable) { self.table = table }

        /// The next part.
        public mutating func next() -> Part? {
            guard index >= 0 else { return nil }
            defer { index = follower(of: index) }
            return Part(table: table, index: index)
        }

        private func follower(of index: Int) -> Int {
            let part = table.parts[index]
            if part.firstChild >= 0 { return Int(part.firstChild) }
            var ancestor = index
            while ancestor >= 0 {
                let next = table.parts[ancestor].nextSibling
                if next >= 0 { return Int(next) }
                ancestor = Int(table.parts[ancestor].parent)
            }
            return -1
        }
    }
}
