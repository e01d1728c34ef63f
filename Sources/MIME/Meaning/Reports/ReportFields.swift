import MartletBytes

/// A field in the body of a report, such as `Final-Recipient: rfc822; a@example.org`. RFC 3464 §2.1.1.
public struct ReportField: Hashable, Sendable {
    /// The name as it was written.
    public var name: String
    /// The value as it stands, folds included.
    public var rawValue: [UInt8]

    /// The value as one line of text.
    public var text: String { HeaderText.decode(rawValue[...]).value }

    func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

/// Fields of a report that belong together, in their order.
public struct ReportFields: Hashable, Sendable {
    private var fields: [ReportField]

    /// A group of fields.
    public init(_ fields: [ReportField] = []) { self.fields = fields }

    /// The text of the first field of that name, in any case; `nil` without one, or if it is empty.
    public subscript(name: String) -> String? {
        fields.first { $0.isNamed(name) }.flatMap { $0.text.nonEmpty }
    }

    /// The texts of all fields of that name.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.compactMap { $0.text.nonEmpty }
    }

    mutating func append(_ field: ReportField) { fields.append(field) }

    mutating func appendLine(_ line: UnsafeRawBufferPointer) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].rawValue.append(contentsOf: line)
    }

    /// The first of two that say the same.
    func date(_ names: String...) -> MailDate? {
        for name in names {
            if let field = fields.first(where: { $0.isNamed(name) }),
                let date = MailDate.parse(field.rawValue).value
            {
                return date
            }
        }
        return nil
    }
}

extension ReportFields: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { 0 }
    /// The position behind the last.
    public var endIndex: Int { fields.count }
    /// The field at `position`.
    public subscript(position: Int) -> ReportField { fields[position] }
}

/// Cuts the body of a report into groups of fields: empty lines are between them.
enum ReportFieldReader {
    static func groups(
        in octets: UnsafeRawBufferPointer, limits: MIMELimits
    ) -> Parsed<[ReportFields]> {
        var groups: [ReportFields] = []
        var group = ReportFields()
        var defects: [Defect] = []
        var fieldCount = 0
        var lines = TextLines(octets)
        // Whether the field before goes on in a line that starts with a blank.
        var isOpen = false
        while let line = lines.next() {
            let content = octets.withoutTrailingBlanks(line.content)
            if content.isEmpty {
                if !group.isEmpty { groups.append(group) }
                group = ReportFields()
                isOpen = false
                continue
            }
            if octets[content.lowerBound].isBlank {
                if isOpen {
                    group.appendLine(
                        UnsafeRawBufferPointer(rebasing: octets[line.content.lowerBound..<line.end])
                    )
                }
                continue
            }
            guard let colon = colon(in: octets, content) else {
                if defects.isEmpty {
                    defects.append(Defect(.junkHeaderLine, at: content.lowerBound))
                }
                isOpen = false
                continue
            }
            guard fieldCount < limits.fieldCount else {
                defects.append(
                    Defect(.limitReached, at: content.lowerBound, limit: "fieldCount"))
                break
            }
            fieldCount += 1
            isOpen = true
            let name = octets.withoutTrailingBlanks(content.lowerBound..<colon)
            group.append(
                ReportField(
                    name: String(decoding: octets[name], as: UTF8.self),
                    rawValue: [UInt8](octets[(colon + 1)..<line.end])))
        }
        if !group.isEmpty { groups.append(group) }
        return Parsed(groups, defects: defects)
    }

    /// Where the name ends; `nil` if the line has none.
    private static func colon(in octets: UnsafeRawBufferPointer, _ line: Range<Int>) -> Int? {
        guard let colon = octets.firstOffset(of: UInt8(ascii: ":"), in: line),
            colon > line.lowerBound
        else { return nil }
        let name = octets.withoutTrailingBlanks(line.lowerBound..<colon)
        return octets[name].allSatisfy { $0 > ASCII.space && $0 < ASCII.del } ? colon : nil
    }
}
