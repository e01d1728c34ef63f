import MartletBytes

/// Header fields in their order. Names may come more than once.
public struct HeaderFields: Hashable, Sendable {
    private var fields: [HeaderField]

    /// Makes a list of `fields`.
    public init(_ fields: [HeaderField] = []) { self.fields = fields }

    /// Adds a field at the end.
    public mutating func append(_ field: HeaderField) { fields.append(field) }

    /// Adds a field at the end.
    ///
    /// - Throws: `CompositionError` when name or value are not valid.
    public mutating func append(_ name: String, _ value: String) throws(CompositionError) {
        fields.append(try HeaderField(name, value))
    }

    /// The value of the first field of that name, in any case.
    public subscript(name: String) -> String? {
        let folded = name.utf8.map(\.lowercased)
        return fields.first { $0.name.folded == folded }?.value
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { fields.startIndex }
    /// The position behind the last.
    public var endIndex: Int { fields.endIndex }
    /// The field at `position`.
    public subscript(position: Int) -> HeaderField { fields[position] }
}

extension HeaderFields: ExpressibleByArrayLiteral {
    /// Makes a list of `elements`.
    public init(arrayLiteral elements: HeaderField...) { fields = elements }
}
