/// A JSON value: what fills a template, and what a service tells in the details of an error.
///
/// Literals make it: `["name": "Ana", "count": 3, "vip": true, "note": nil, "rows": [["sku": "Z-9"]]]`.
public enum FrontmailValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number; goes out without a fraction.
    case int(Int)
    /// Any other number. What is not finite cannot be sent.
    case double(Double)
    /// True or false.
    case bool(Bool)
    /// Nothing.
    case null
    /// A list.
    case array([FrontmailValue])
    /// Named values.
    case object([String: FrontmailValue])

    /// The text, if it is text.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The values of an object, if it is one.
    public var objectValue: [String: FrontmailValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The items of a list, if it is one.
    public var arrayValue: [FrontmailValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}

extension FrontmailValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension FrontmailValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension FrontmailValue: ExpressibleByFloatLiteral {
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension FrontmailValue: ExpressibleByBooleanLiteral {
    /// Makes true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FrontmailValue: ExpressibleByNilLiteral {
    /// Makes nothing.
    public init(nilLiteral: ()) { self = .null }
}

extension FrontmailValue: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: FrontmailValue...) { self = .array(elements) }
}

extension FrontmailValue: ExpressibleByDictionaryLiteral {
    /// Makes an object; of equal names the last one counts.
    public init(dictionaryLiteral elements: (String, FrontmailValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension FrontmailValue: Codable {
    /// Reads any JSON value. Whole numbers beyond `Int` become `double`, as exact as that is.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each guess that fails makes an error: the most frequent one first.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode([FrontmailValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: FrontmailValue].self))
        }
    }

    /// Writes it as the JSON value it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
