/// Header fields in their order; several may have the same name.
public struct HTTPFields: Sendable, Hashable {
    private var fields: [HTTPField]

    /// Makes fields of a list.
    public init(_ fields: [HTTPField] = []) { self.fields = fields }

    /// The first value of that name.
    public subscript(name: HTTPField.Name) -> String? { fields.first { $0.name == name }?.value }

    /// All values of that name, in order.
    public func values(of name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field behind the others, also if there is one of its name.
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Puts a field in the place of all others of its name.
    public mutating func set(_ field: HTTPField) {
        removeAll(field.name)
        append(field)
    }

    /// Removes all fields of that name.
    public mutating func removeAll(_ name: HTTPField.Name) { fields.removeAll { $0.name == name } }
}

extension HTTPFields: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { fields.count }
    /// The field at that place.
    public subscript(index: Int) -> HTTPField { fields[index] }
}
