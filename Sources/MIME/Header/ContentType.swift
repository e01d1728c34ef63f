import MartletBytes

/// The type of a body, such as `text/plain; charset=utf-8`. RFC 2045 §5.1.
public struct ContentType: Hashable, Sendable {
    /// A parameter: its name and its value, unquoted and decoded.
    public struct Parameter: Hashable, Sendable {
        /// The name in lower case.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The longest type, subtype or parameter name in octets. RFC 6838 §4.2.
    public static let tokenLimitInOctets = 127
    /// The longest parameter value in octets.
    public static let valueLimitInOctets = 1_024

    /// The type in lower case, such as `text`.
    public let type: String
    /// The subtype in lower case, such as `plain`.
    public let subtype: String
    /// The parameters in order.
    public private(set) var parameters: [Parameter] = []

    /// `application/octet-stream`: octets of which nothing is known.
    public static let octetStream = ContentType(known: "application", "octet-stream")

    /// For types written in this module, which are valid.
    init(known type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
    }

    /// Reads `type/subtype`, with parameters as `; name=value` or `; name="value"` if there are any.
    ///
    /// - Throws: `CompositionError`, to be mended by the caller.
    public init(_ text: String) throws(CompositionError) {
        try refuseLineBreaks(in: text, field: "Content-Type")
        var reader = ContentTypeReader(rest: Array(text.utf8)[...])
        guard let type = reader.token(), reader.sign("/"), let subtype = reader.token() else {
            throw CompositionError(.invalid, field: "Content-Type", value: text)
        }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        while reader.sign(";") {
            if reader.isAtEnd { break }
            guard let name = reader.token(), reader.sign("="), let value = reader.value() else {
                throw CompositionError(.invalid, field: "Content-Type", value: text)
            }
            try set(name, to: value)
        }
        guard reader.isAtEnd else {
            throw CompositionError(.invalid, field: "Content-Type", value: text)
        }
    }

    /// The value of a parameter, or `nil`.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name.lowercased() }?.value
    }

    /// Adds a parameter, or replaces the one of that name.
    ///
    /// - Throws: `CompositionError` when `name` is no token or too long, or `value` is too long or has
    ///   a CR, LF or NUL.
    public mutating func set(_ name: String, to value: String) throws(CompositionError) {
        let parameter = try Self.parameter(name, value)
        parameters.removeAll { $0.name == parameter.name }
        parameters.append(parameter)
    }

    /// Adds those of `others`, whose names are all different, that can be written. There must be none yet.
    mutating func add(_ others: some Sequence<HeaderParameters.Parameter>) {
        precondition(parameters.isEmpty)
        parameters = others.compactMap { try? Self.parameter($0.name, $0.value) }
    }

    private static func parameter(
        _ name: String, _ value: String
    ) throws(CompositionError) -> Parameter {
        try refuseLineBreaks(in: value, field: "Content-Type \(name)")
        let isToken =
            !name.isEmpty && name.utf8.count <= Self.tokenLimitInOctets
            && name.utf8.allSatisfy { isTokenOctet($0) && !"*'%".utf8.contains($0) }
        guard isToken else {
            throw CompositionError(.invalid, field: "Content-Type", value: name)
        }
        guard value.utf8.count <= Self.valueLimitInOctets else {
            throw CompositionError(
                .tooLong(limit: Self.valueLimitInOctets), field: "Content-Type \(name)")
        }
        return Parameter(name: name.lowercased(), value: value)
    }
}

extension ContentType: CustomStringConvertible {
    /// `type/subtype` without parameters.
    public var description: String { type + "/" + subtype }
}

/// `token` characters of RFC 2045 §5.1: printable ASCII but no space and no `tspecials`.
func isTokenOctet(_ octet: UInt8) -> Bool {
    octet < 64
        ? TokenOctets.low >> UInt64(octet) & 1 == 1
        : octet < 128 && TokenOctets.high >> UInt64(octet - 64) & 1 == 1
}

/// A bit for each octet that may stand in a token.
private enum TokenOctets {
    static let low = mask(0)
    static let high = mask(64)

    private static func mask(_ first: UInt8) -> UInt64 {
        (0..<64 as Range<UInt8>).reduce(0) { mask, bit in
            let octet = first + bit
            let isToken =
                octet > ASCII.space && octet < ASCII.del
                && !"()<>@,;:\\\"/[]?=".utf8.contains(octet)
            return isToken ? mask | 1 << UInt64(bit) : mask
        }
    }
}

private struct ContentTypeReader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool {
        mutating get {
            rest = rest.drop(while: \.isBlank)
            return rest.isEmpty
        }
    }

    mutating func sign(_ sign: Unicode.Scalar) -> Bool {
        guard !isAtEnd, rest.first == UInt8(ascii: sign) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func token() -> String? {
        guard !isAtEnd else { return nil }
        let token = rest.prefix(while: isTokenOctet)
        guard !token.isEmpty, token.count <= ContentType.tokenLimitInOctets else { return nil }
        rest = rest.dropFirst(token.count)
        return String(decoding: token, as: UTF8.self)
    }

    // value = token / quoted-string ; RFC 2045 §5.1
    mutating func value() -> String? {
        guard sign("\"") else { return token() }
        var value: [UInt8] = []
        while let octet = rest.popFirst() {
            switch octet {
            case ASCII.quote: return String(decoding: value, as: UTF8.self)
            case ASCII.backslash:
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(octet)
            }
        }
        return nil
    }
}
