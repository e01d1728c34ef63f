import MartletBytes

/// Where a header field stands, in octets of its source.
struct FieldRecord {
    /// The first octet of the name.
    var start: Int
    /// Behind the field's last line end.
    var end: Int
    /// From `start` to behind the colon.
    var valueOffset: UInt32
    /// Octets of the name.
    var nameLength: UInt16

    var valueStart: Int { start + Int(valueOffset) }

    /// The value as it stands, with its folding and its last line end.
    func value(in octets: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: octets[valueStart..<end])
    }
}

/// Where a part stands, in octets of its source.
struct PartRecord {
    enum Kind: UInt8 {
        /// A body without parts.
        case leaf
        /// A multipart; its children are its body parts.
        case multipart
        /// A message inside a message; its one child is that message.
        case message
    }

    var kind = Kind.leaf
    /// Whether the type is `message/rfc822` for want of another: inside of a `multipart/digest`.
    var isInDigest = false
    /// Which of the table's sources the offsets are of. Above 0: decoded from a part's body.
    var source: Int32 = 0
    var parent: Int32 = -1
    var firstChild: Int32 = -1
    var nextSibling: Int32 = -1
    /// Counted from 1 among the parts of the same container.
    var place: Int32 = 1
    var firstField: Int32 = 0
    var fieldCount: Int32 = 0
    /// The first `Content-Type`, `Content-Transfer-Encoding` and `Content-Disposition`, or -1.
    var typeField: Int32 = -1
    var encodingField: Int32 = -1
    var dispositionField: Int32 = -1
    var depth: UInt16 = 0
    /// The first octet of the header.
    var start = 0
    /// Behind the empty line that ends the header.
    var bodyStart = 0
    /// Before the line end that belongs to the delimiter.
    var end = 0
    /// The text before the first delimiter ends here; multiparts only.
    var preambleEnd = 0
    /// The text behind the closing delimiter starts here; `end` without one.
    var epilogueStart = 0

    /// Moves the part to where its octets and its fields are in larger tables.
    mutating func shift(by octets: Int, fieldsBy count: Int32) {
        start += octets
        bodyStart += octets
        end += octets
        preambleEnd += octets
        epilogueStart += octets
        firstField += count
        if typeField >= 0 { typeField += count }
        if encodingField >= 0 { encodingField += count }
        if dispositionField >= 0 { dispositionField += count }
    }
}

/// A defect of the structure, and the part that has it.
struct PartDefect {
    var part: Int32
    var defect: Defect
}

extension [PartDefect] {
    /// Adds a defect, up to the limit, of which the last one tells.
    mutating func add(_ defect: Defect, to part: Int32, _ limits: MIMELimits) {
        if count < limits.defectCount {
            append(PartDefect(part: part, defect: defect))
        } else if count == limits.defectCount {
            let last = Defect(.limitReached, at: defect.offset, limit: "defectCount")
            append(PartDefect(part: part, defect: last))
        }
    }
}

/// The structure of a message: flat tables of ranges into octets that are never copied.
final class PartTable: Sendable {
    /// The message, then the decoded bodies of containers that were encoded.
    let sources: [Octets]
    /// In the order of their headers; what was found in a decoded body comes behind all others. The first is the
    /// message itself.
    let parts: [PartRecord]
    let fields: [FieldRecord]
    /// In the order of their parts.
    let defects: [PartDefect]
    let limits: MIMELimits

    init(
        sources: [Octets], parts: [PartRecord], fields: [FieldRecord], defects: [PartDefect],
        limits: MIMELimits
    ) {
        self.sources = sources
        self.parts = parts
        self.fields = fields
        self.defects = defects.sorted { $0.part < $1.part }
        self.limits = limits
    }

    /// The defects of the part at `index`, in the order in which they were found.
    func defects(of index: Int) -> ArraySlice<PartDefect> {
        var low = 0
        var high = defects.count
        while low < high {
            let middle = (low + high) / 2
            if defects[middle].part < index { low = middle + 1 } else { high = middle }
        }
        return defects[low...].prefix { $0.part == index }
    }
}
