import MartletTestSupport

@testable import MartletMIME

/// A value that we read otherwise than another program does.
struct Disagreement {
    /// The addresses of a field as we read them.
    struct People {
        var addresses: [String]
        var names: [String]
        var hasComment: Bool
        var isDamaged: Bool
    }

    let message: Message
    /// All that the other program reads in the message.
    let reading: Reading
    let aspect: Reading.Aspect
    let ours: [String]
    let theirs: [String]
    /// Of a body, its octets.
    var bodies: (ours: [UInt8], theirs: [UInt8]) = ([], [])
    /// The part of a name or body.
    var part: Part?

    var isBody: Bool { if case .body = aspect { true } else { false } }
    var isName: Bool { if case .name = aspect { true } else { false } }
    var isStructure: Bool { aspect == .structure }

    /// Whether the part has such a defect.
    func has(_ kind: Defect.Kind) -> Bool { part?.hasDefect(kind) == true }

    /// Whether the other program fails to read a field.
    func failure(of field: String) -> Bool {
        reading.values[.failure]?.contains { $0.lowercased().hasPrefix(field.lowercased()) } == true
    }

    /// The field of addresses that the value is of.
    var field: String { [.from, .fromNames].contains(aspect) ? "From" : "To" }

    var theirAddresses: [String] { reading.values[field == "From" ? .from : .to] ?? [] }
    var theirNames: [String] { reading.values[field == "From" ? .fromNames : .toNames] ?? [] }

    /// Ours, if the value is one of addresses.
    var people: People? {
        guard [.from, .fromNames, .to, .toNames].contains(aspect) else { return nil }
        let list = field == "From" ? message.from : message.to
        let fields = message.header.fields(field)
        return People(
            addresses: list.mailboxes.map(\.addrSpec),
            names: list.mailboxes.map { $0.displayName ?? "" },
            hasComment: fields.contains { $0.rawValue.contains(UInt8(ascii: "(")) },
            isDamaged: fields.contains { !$0.addresses.defects.isEmpty })
    }

    /// The values that differ.
    static func all(in message: Message, _ theirs: Reading) -> [Disagreement] {
        let ours = Reading(message)
        let parts = Array(message.parts)
        var found: [Disagreement] = []
        func compare(
            _ aspect: Reading.Aspect, _ our: [String], _ their: [String],
            bodies: (ours: [UInt8], theirs: [UInt8]) = ([], []), part: Part? = nil
        ) {
            guard our != their || bodies.ours != bodies.theirs else { return }
            found.append(
                Disagreement(
                    message: message, reading: theirs, aspect: aspect, ours: our, theirs: their,
                    bodies: bodies, part: part))
        }
        for failure in theirs.values[.failure] ?? [] { compare(.failure, [], [failure]) }
        for aspect in [Reading.Aspect.subject, .from, .fromNames, .to, .toNames, .date] {
            compare(aspect, ours.values[aspect] ?? [], theirs.values[aspect] ?? [])
        }
        let types = (ours.parts.map(\.type), theirs.parts.map(\.type))
        compare(.structure, types.0, types.1)
        guard types.0 == types.1 else { return found }
        for (index, (our, their)) in zip(ours.parts, theirs.parts).enumerated() {
            guard let ourBody = our.body, let theirBody = their.body else { continue }
            compare(.body(index), [], [], bodies: (ourBody, theirBody), part: parts[index])
            compare(.name(index), [our.name], [their.name], part: parts[index])
        }
        return found
    }
}

extension Disagreement: CustomStringConvertible {
    /// The aspect, and both values, cut.
    var description: String {
        guard isBody else { return "\(aspect): \(ours) for \(theirs)".prefix(600).description }
        let same = zip(bodies.ours, bodies.theirs).prefix { $0 == $1 }.count
        func shown(_ octets: [UInt8]) -> String {
            text(octets.dropFirst(max(0, same - 20)).prefix(80)).debugDescription
        }
        return "\(aspect) from \(same): \(shown(bodies.ours)) for \(shown(bodies.theirs))"
    }
}

extension Part {
    /// Whether the part itself has such a defect, in its structure, its fields or its body.
    func hasDefect(_ kind: Defect.Kind) -> Bool { allDefects().contains { $0.kind == kind } }

    var hasSpaceBeforeColon: Bool {
        header.contains { field in
            let end = field.range.lowerBound + field.name.utf8.count
            return octets[end..<(end + 1)] != [UInt8(ascii: ":")]
        }
    }
}
