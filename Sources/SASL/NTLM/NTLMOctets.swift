import MartletBytes

/// Little-endian numbers and strings of NTLM's messages. MS-NLMP §2.2.
enum NTLMOctets {
    /// Most octets of a message that is read.
    static let messageLimitInOctets = 16 * 1024

    /// `NTLMSSP` and NUL, before every message.
    static let signature = Array("NTLMSSP\0".utf8)

    static func number(_ octets: [UInt8], at offset: Int, size: Int) -> UInt64? {
        guard offset >= 0, size >= 0, octets.count - offset >= size else { return nil }
        return octets[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func append(_ value: some FixedWidthInteger, to octets: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { octets.append(contentsOf: $0) }
    }

    /// What a field at `offset` (length, room, place in the message) names; `nil` where it lies outside.
    static func field(_ octets: [UInt8], at offset: Int) -> [UInt8]? {
        guard let count = number(octets, at: offset, size: 2),
            let start = number(octets, at: offset + 4, size: 4),
            start <= octets.count, octets.count - Int(start) >= Int(count)
        else { return nil }
        return Array(octets[Int(start)..<(Int(start) + Int(count))])
    }

    static func utf16(_ text: String) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(2 * text.utf16.count)
        for unit in text.utf16 { append(unit, to: &octets) }
        return octets
    }

    /// The text of UTF-16; `nil` where it is none.
    static func text(utf16 octets: [UInt8]) -> String? {
        guard octets.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: octets.count, by: 2).map {
            UInt16(octets[$0]) | UInt16(octets[$0 + 1]) << 8
        }
        return String(validating: units, as: UTF16.self)
    }

    /// Upper case, character by character: what has no single one stays.
    static func uppercased(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let upper = scalar.properties.uppercaseMapping.unicodeScalars
            result.append(upper.count == 1 ? upper.first ?? scalar : scalar)
        }
        return String(result)
    }
}

/// Negotiated flags. MS-NLMP §2.2.2.5.
struct NTLMFlags: OptionSet, Hashable {
    var rawValue: UInt32
    static let unicode = NTLMFlags(rawValue: 1 << 0)
    static let requestTarget = NTLMFlags(rawValue: 1 << 2)
    static let ntlm = NTLMFlags(rawValue: 1 << 9)
    static let alwaysSign = NTLMFlags(rawValue: 1 << 15)
    static let targetIsServer = NTLMFlags(rawValue: 1 << 17)
    static let extendedSessionSecurity = NTLMFlags(rawValue: 1 << 19)
    static let targetInfo = NTLMFlags(rawValue: 1 << 23)
    static let with128Bits = NTLMFlags(rawValue: 1 << 29)
    static let with56Bits = NTLMFlags(rawValue: 1 << 31)

    /// What is asked for here: no signing, no sealing, no exchange of keys.
    static let wanted: NTLMFlags = [
        .unicode, .requestTarget, .ntlm, .alwaysSign, .extendedSessionSecurity, .targetInfo,
        .with128Bits, .with56Bits,
    ]
}

/// Attributes of the server or the client, ended by number 0. MS-NLMP §2.2.2.1.
struct NTLMAttributes {
    static let endOfList = 0, computerName = 1, domainName = 2, flags = 6, timestamp = 7
    static let targetName = 9
    static let channelBindings = 10
    /// In `flags`: a code over all messages comes with the last.
    static let hasCode: UInt32 = 2

    private(set) var pairs: [(id: Int, value: [UInt8])] = []

    init() {}

    /// Reads a list; `nil` where it is cut.
    init?(_ octets: [UInt8]) {
        var offset = 0
        while true {
            guard let id = NTLMOctets.number(octets, at: offset, size: 2),
                let count = NTLMOctets.number(octets, at: offset + 2, size: 2)
            else { return nil }
            if id == Self.endOfList { return }
            offset += 4
            guard octets.count - offset >= Int(count) else { return nil }
            pairs.append((Int(id), Array(octets[offset..<(offset + Int(count))])))
            offset += Int(count)
        }
    }

    subscript(id: Int) -> [UInt8]? {
        get { pairs.first { $0.id == id }?.value }
        set {
            if let place = pairs.firstIndex(where: { $0.id == id }) {
                if let newValue { pairs[place].value = newValue } else { pairs.remove(at: place) }
            } else if let newValue {
                pairs.append((id, newValue))
            }
        }
    }

    var encoded: [UInt8] {
        var octets: [UInt8] = []
        for pair in pairs {
            NTLMOctets.append(UInt16(truncatingIfNeeded: pair.id), to: &octets)
            NTLMOctets.append(UInt16(truncatingIfNeeded: pair.value.count), to: &octets)
            octets += pair.value
        }
        return octets + [0, 0, 0, 0]
    }
}
