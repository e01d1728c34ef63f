import MartletBytes

/// A piece of a message that was cut to be sent: a `message/partial`. RFC 2046 §5.2.2.
public struct MessageFragment: Sendable {
    /// What the pieces of one message have in common.
    public let id: String
    /// The place of the piece, from 1.
    public let number: Int
    /// How many pieces there are; only the last one must say so. `nil` too where it cannot be true: fewer than `number`,
    /// or more than `MIMELimits.fragmentCount`.
    public let total: Int?
    /// The part with the piece in it.
    public let part: Part
}

extension Part {
    /// The piece of another message that the part is; `nil` for other parts, without `id` or `number`, and with a number
    /// above `MIMELimits.fragmentCount`.
    public var fragment: MessageFragment? {
        guard kind == .leaf else { return nil }
        let type = contentType
        guard type.type == "message", type.subtype == "partial",
            let id = type.parameters["id"]?.trimmedOfSpace, !id.isEmpty,
            let number = type.parameters["number"].flatMap({ Int($0.trimmedOfSpace) }),
            number > 0, number <= table.limits.fragmentCount
        else { return nil }
        let total = type.parameters["total"].flatMap { Int($0.trimmedOfSpace) }.flatMap {
            number <= $0 && $0 <= table.limits.fragmentCount ? $0 : nil
        }
        return MessageFragment(id: id, number: number, total: total, part: self)
    }
}

extension Message {
    /// The piece of another message that this message is; `nil` for other messages.
    public var fragment: MessageFragment? { root.fragment }
}

/// What pieces of a message come to.
public enum ReassembledMessage: Hashable, Sendable {
    /// The message, to be parsed.
    case complete([UInt8])
    /// These pieces are missing. Where nobody says how many there are, the last range is open to `Int.max`.
    case missing([ClosedRange<Int>])
}

extension MessageFragment {
    /// Puts the pieces of one message together. RFC 2046 §5.2.2.1.
    ///
    /// The header is that of the first piece's own message, but for `Content-…`, `Subject`, `Message-ID`, `Encrypted` and
    /// `MIME-Version`, which come from within the piece.
    ///
    /// - Parameters:
    ///   - fragments: in any order. Those with another `id` than the first are passed over, with a defect, and so are
    ///     second copies.
    ///   - limits: `bodySizeInOctets` for all of the message.
    public static func reassemble(
        _ fragments: [MessageFragment], limits: MIMELimits = .standard
    ) -> Parsed<ReassembledMessage> {
        guard let id = fragments.first?.id else { return Parsed(.missing([1...Int.max])) }
        var reassembly = Reassembly(limits: limits)
        for fragment in fragments where !reassembly.take(fragment, id: id) {
            reassembly.defects.append(Defect(.invalidValue, at: 0))
        }
        let message = reassembly.message()
        return Parsed(message, defects: reassembly.defects)
    }
}

/// The pieces so far.
private struct Reassembly {
    let limits: MIMELimits
    var defects: [Defect] = []
    private var byNumber: [Int: MessageFragment] = [:]
    private var total: Int?

    init(limits: MIMELimits) { self.limits = limits }

    /// `false` if something is wrong with the piece.
    mutating func take(_ fragment: MessageFragment, id: String) -> Bool {
        guard fragment.id == id, byNumber[fragment.number] == nil else { return false }
        byNumber[fragment.number] = fragment
        guard let told = fragment.total else { return true }
        // Where they disagree, what the last piece says counts.
        let isSame = total == nil || total == told
        if total == nil || fragment.number == told { total = told }
        return isSame
    }

    mutating func message() -> ReassembledMessage {
        var numbers = byNumber.keys.sorted()
        if let total { numbers.removeAll { $0 > total } }
        var missing: [ClosedRange<Int>] = []
        var last = 0
        for number in numbers {
            if number - 1 > last { missing.append((last + 1)...(number - 1)) }
            last = number
        }
        let end = total ?? Int.max
        if last < end { missing.append((last + 1)...end) }
        guard missing.isEmpty, let first = byNumber[1] else { return .missing(missing) }
        return .complete(join(first, numbers.dropFirst().compactMap { byNumber[$0] }))
    }

    private mutating func join(_ first: MessageFragment, _ others: [MessageFragment]) -> [UInt8] {
        let start = Message(parsing: first.part.decodedBody().value, limits: limits).root
        let outer = first.part.messageAround
        var octets = header(outer.header, start.header)
        let lineEnd: [UInt8] =
            octets.dropLast().last == ASCII.cr ? [ASCII.cr, ASCII.lf] : [ASCII.lf]
        octets += lineEnd
        guard append(start.octets[start.bodyRange], to: &octets) else { return octets }
        for fragment in others {
            // Pieces are cut between lines; the last line end may have been lost on the way.
            if octets.last != ASCII.lf { octets += lineEnd }
            guard append(fragment.part.decodedBody().value, to: &octets) else { break }
        }
        return octets
    }

    /// `false`, and nothing is appended, where the message would become too large.
    private mutating func append(_ body: [UInt8], to octets: inout [UInt8]) -> Bool {
        guard octets.count + body.count <= limits.bodySizeInOctets else {
            defects.append(Defect(.limitReached, at: octets.count, limit: "bodySizeInOctets"))
            return false
        }
        octets += body
        return true
    }
}

extension Reassembly {
    /// The fields of what carries the first piece; those that belong to the content are replaced by those of the content,
    /// which stand in their place or, if they have none there, behind the others: so does the example of the RFC.
    private func header(_ outer: PartHeader, _ inner: PartHeader) -> [UInt8] {
        var byName: [String: [UInt8]] = [:]
        var names: [String] = []
        for field in inner where field.belongsToContent {
            let name = field.name.lowercased()
            if byName[name] == nil { names.append(name) }
            byName[name, default: []] += field.octetsWithLineEnd
        }
        var octets: [UInt8] = []
        for field in outer {
            if !field.belongsToContent {
                octets += field.octetsWithLineEnd
            } else if let replacement = byName.removeValue(forKey: field.name.lowercased()) {
                octets += replacement
            }
        }
        for name in names { octets += byName[name] ?? [] }
        return octets
    }
}

extension Part {
    /// The message that the part is directly in, or is.
    fileprivate var messageAround: Part {
        var part = self
        while let parent = part.parent, parent.kind != .message { part = parent }
        return part
    }
}

extension PartHeader.Field {
    /// Whether the field is that of the message within the pieces rather than of what carries it.
    fileprivate var belongsToContent: Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-")
            || ["subject", "message-id", "encrypted", "mime-version"].contains(name)
    }

    fileprivate var octetsWithLineEnd: [UInt8] {
        let octets = header.source[range]
        return octets.last == ASCII.lf ? octets : octets + [ASCII.lf]
    }
}
