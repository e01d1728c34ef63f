import MartletBytes

/// The attributes of a SCRAM message, in order: `r=…,s=…,i=…`. RFC 5802 §5.1, §7.
struct SCRAMMessage {
    struct Attribute {
        var name: UInt8
        var value: ArraySlice<UInt8>
    }

    private var attributes: ArraySlice<Attribute>

    /// Takes a message apart; `nil` where it is no list of attributes.
    init?(_ octets: ArraySlice<UInt8>) {
        guard octets.count <= SCRAMLimits.messageLimitInOctets else { return nil }
        var attributes: [Attribute] = []
        for part in octets.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            // attr-val = ALPHA "=" value ; value = 1*value-char, without NUL and comma
            guard part.count >= 2, let name = part.first, name.isLetter,
                part[part.startIndex + 1] == ASCII.equals, !part.contains(ASCII.nul)
            else { return nil }
            attributes.append(Attribute(name: name, value: part.dropFirst(2)))
        }
        self.attributes = attributes[...]
    }

    /// The next attribute's value, if it has this name.
    mutating func take(_ name: Character) -> ArraySlice<UInt8>? {
        guard let first = attributes.first, first.name == name.asciiValue else { return nil }
        attributes = attributes.dropFirst()
        return first.value
    }

    /// The next attribute's octets behind base64, which must not be empty.
    mutating func takeBase64(_ name: Character, limit: Int) -> [UInt8]? {
        guard let value = take(name), let octets = Base64.decode(value),
            1...limit ~= octets.count
        else { return nil }
        return octets
    }

    /// The next attribute's nonce: printable, without comma. RFC 5802 §7.
    mutating func takeNonce() -> [UInt8]? {
        guard let value = take("r"), 1...SCRAMLimits.nonceLimit ~= value.count,
            value.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        return Array(value)
    }

    /// The next attribute's number: `posit-number`, without a zero in front.
    mutating func takeNumber(_ name: Character) -> Int? {
        guard let value = take(name), 1...10 ~= value.count, value.first != ASCII.zero,
            value.allSatisfy(\.isDigit)
        else { return nil }
        return value.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }  // ten digits fit
    }

    var isAtEnd: Bool { attributes.isEmpty }

    /// `,` and `=` in names are written otherwise. RFC 5802 §5.1.
    static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case ",": result += "=2C"
            case "=": result += "=3D"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A name as it was before `escaped`; `nil` where an `=` begins nothing known, or it is no UTF-8 or empty.
    static func unescaped(_ value: some Collection<UInt8>) -> String? {
        var octets: [UInt8] = []
        var rest = Array(value)[...]
        while let octet = rest.popFirst() {
            if octet == ASCII.equals {
                switch rest.prefix(2) {
                case [0x32, 0x43]: octets.append(UInt8(ascii: ","))
                case [0x33, 0x44]: octets.append(ASCII.equals)
                default: return nil
                }
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return octets.isEmpty ? nil : String(validating: octets, as: UTF8.self)
    }
}
