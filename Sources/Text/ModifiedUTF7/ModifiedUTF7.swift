import MartletBytes

/// The names of mailboxes before UTF-8: printable ASCII stands for itself, `&` for `&-`, all else for `&` + base64 of
/// UTF-16 with `,` for `/` + `-`. RFC 3501 §5.1.3.
public enum ModifiedUTF7 {
    /// The text in modified UTF-7.
    public static func encode(_ text: some StringProtocol) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(text.utf8.count)
        var shifted: [UInt16] = []
        for scalar in text.unicodeScalars {
            guard isDirect(scalar.value) else {
                shifted.append(contentsOf: UTF16.encode(scalar).unsafelyUnwrapped)
                continue
            }
            flush(&shifted, into: &octets)
            octets.append(UInt8(truncatingIfNeeded: scalar.value))
            if scalar == "&" { octets.append(ASCII.hyphen) }
        }
        flush(&shifted, into: &octets)
        return octets
    }

    /// The text of a name that is well-formed; `nil` for one that is not, also where the encoding is not the only one
    /// the RFC allows (a shift that ends where another begins is taken, since servers write it).
    ///
    /// Not well-formed are octets beyond ASCII, `&` that no `-` ends, base64 that is cut or has bits left over, and
    /// half surrogate pairs.
    public static func decode(_ octets: some Sequence<UInt8>) -> String? {
        var text: [UInt8] = []
        var shift: Shift?
        for octet in octets {
            if shift != nil {
                if octet == ASCII.hyphen {
                    guard shift?.end(into: &text) == true else { return nil }
                    shift = nil
                } else {
                    guard shift?.take(octet, into: &text) == true else { return nil }
                }
            } else if octet == UInt8(ascii: "&") {
                shift = Shift()
            } else {
                guard octet >= 0x20, octet < 0x7F else { return nil }
                text.append(octet)
            }
        }
        return shift == nil ? String(decoding: text, as: UTF8.self) : nil
    }

    private static func isDirect(_ value: UInt32) -> Bool { value >= 0x20 && value <= 0x7E }

    private static func flush(_ units: inout [UInt16], into octets: inout [UInt8]) {
        guard !units.isEmpty else { return }
        octets.append(UInt8(ascii: "&"))
        var bits: UInt32 = 0
        var count = 0
        for unit in units {
            bits = bits << 16 | UInt32(unit)
            count += 16
            while count >= 6 {
                count -= 6
                octets.append(digit(bits >> UInt32(count)))
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { octets.append(digit(bits << UInt32(6 - count))) }
        octets.append(ASCII.hyphen)
        units.removeAll(keepingCapacity: true)
    }

    private static func digit(_ bits: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: bits & 63) {
        case let value where value < 26: UInt8(ascii: "A") + value
        case let value where value < 52: UInt8(ascii: "a") + value - 26
        case let value where value < 62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: ",")
        }
    }
}

/// What stands between `&` and `-`.
private struct Shift {
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var isEmpty = true
    private var lead: UInt16?

    mutating func take(_ octet: UInt8, into text: inout [UInt8]) -> Bool {
        guard let value = Self.value(octet) else { return false }
        isEmpty = false
        bits = bits << 6 | UInt32(value)
        bitCount += 6
        guard bitCount >= 16 else { return true }
        bitCount -= 16
        let unit = UInt16(truncatingIfNeeded: bits >> UInt32(bitCount))
        bits &= (1 << UInt32(bitCount)) - 1
        return take(unit, into: &text)
    }

    private mutating func take(_ unit: UInt16, into text: inout [UInt8]) -> Bool {
        if let lead {
            guard UTF16.isTrailSurrogate(Unicode.UTF16.CodeUnit(unit)) else { return false }
            let scalar = UTF16.decode(UTF16.EncodedScalar([lead, unit]))
            self.lead = nil
            text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
            return true
        }
        if UTF16.isLeadSurrogate(unit) {
            lead = unit
            return true
        }
        guard let scalar = Unicode.Scalar(unit) else { return false }
        text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
        return true
    }

    /// Whether it may end here. `&-` is `&` itself.
    func end(into text: inout [UInt8]) -> Bool {
        if isEmpty {
            text.append(UInt8(ascii: "&"))
            return true
        }
        return lead == nil && bitCount < 6 && bits == 0
    }

    private static func value(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): octet - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): octet - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: ","): 63
        default: nil
        }
    }
}
