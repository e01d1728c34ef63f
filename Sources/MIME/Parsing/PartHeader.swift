import MartletBytes

/// The header fields of a part, as they stand in the message. RFC 5322 §2.2.
public struct PartHeader: Sendable {
    let table: PartTable
    let source: Octets
    private let range: Range<Int>

    init(of part: Part) {
        table = part.table
        source = part.octets
        let first = Int(part.record.firstField)
        range = first..<(first + Int(part.record.fieldCount))
    }

    /// The first field of that name, in any case.
    public subscript(name: String) -> Field? {
        var name = name
        return name.withUTF8 {
            firstIndex(of: $0, in: range).map { Field(header: self, index: $0) }
        }
    }

    /// All fields of that name, in any case and in their order.
    public func fields(_ name: String) -> [Field] {
        var name = name
        return name.withUTF8 { name in
            var fields: [Field] = []
            var rest = range
            while let found = firstIndex(of: name, in: rest) {
                fields.append(Field(header: self, index: found))
                rest = (found + 1)..<range.upperBound
            }
            return fields
        }
    }

    private func firstIndex(of name: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Int? {
        source.withUnsafeBytes { octets in
            range.first { index in
                let record = table.fields[index]
                guard Int(record.nameLength) == name.count else { return false }
                let start = record.start
                precondition(start >= 0 && start + name.count <= octets.count)
                for offset in 0..<name.count
                where octets[start &+ offset].lowercased != name[offset].lowercased { return false }
                return true
            }
        }
    }

    /// A header field as it stands in the message; its value is decoded on demand.
    public struct Field: Sendable {
        let header: PartHeader
        let index: Int

        private var record: FieldRecord { header.table.fields[index] }

        /// The name as it stands.
        public var name: String {
            let record = record
            let range = record.start..<(record.start + Int(record.nameLength))
            return header.source.withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) }
        }

        /// Where the field is in its part's `octets`, with its last line end.
        public var range: Range<Int> { record.start..<record.end }

        /// Where the value is: behind the colon, with folding and last line end.
        public var valueRange: Range<Int> { record.valueStart..<record.end }

        /// The value as it stands, folded and encoded, with its last line end.
        public var rawValue: [UInt8] { header.source[valueRange] }
    }
}

extension PartHeader: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { 0 }
    /// The position behind the last.
    public var endIndex: Int { range.count }
    /// The field at `position`.
    public subscript(position: Int) -> Field {
        precondition(position >= 0 && position < range.count)
        return Field(header: self, index: range.lowerBound + position)
    }
}

extension Part {
    /// The header fields.
    public var header: PartHeader { PartHeader(of: self) }
}
