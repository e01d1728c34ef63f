import MartletBytes

/// A header field: a name and its unfolded value. RFC 5322 §2.2.
///
/// A value is always valid: neither name nor value can hold a CR, LF or NUL.
public struct HeaderField: Hashable, Sendable {
    /// The longest name in octets: one that leaves room for a value on a line of 78.
    public static let nameLimitInOctets = 76

    /// A field's name: keeps its case and is compared without.
    public struct Name: Sendable {
        /// The name as it was written.
        public let text: String

        /// Makes a name of printable ASCII characters other than space and `:` (`field-name`,
        /// RFC 5322 §3.6.8).
        ///
        /// - Throws: `CompositionError`, to be mended by the caller.
        public init(_ text: String) throws(CompositionError) {
            try refuseLineBreaks(in: text, field: "A field name")
            guard text.utf8.count <= HeaderField.nameLimitInOctets else {
                throw CompositionError(
                    .tooLong(limit: HeaderField.nameLimitInOctets), field: "A field name")
            }
            let isValid = text.utf8.allSatisfy {
                $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: ":")
            }
            guard isValid, !text.isEmpty else {
                throw CompositionError(.invalid, field: "A field name", value: text)
            }
            self.text = text
        }

        var folded: [UInt8] { text.utf8.map(\.lowercased) }
    }

    /// The name.
    public let name: Name
    /// The value without folding and without encoded words.
    public let value: String

    /// Makes a field.
    ///
    /// - Throws: `CompositionError` naming the field when the name is not valid, or the value has a
    ///   CR, LF or NUL.
    public init(_ name: String, _ value: String) throws(CompositionError) {
        self.name = try Name(name)
        try refuseLineBreaks(in: value, field: name)
        self.value = value
    }
}

extension HeaderField.Name: Hashable {
    /// Compares without regard to case.
    public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }
    /// Hashes without regard to case.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension HeaderField.Name: CustomStringConvertible {
    /// The name as it was written.
    public var description: String { text }
}
