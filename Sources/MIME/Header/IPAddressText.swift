import MartletBytes

/// IP addresses as trace fields have them.
enum IPAddressText {
    /// The address in a word: `192.0.2.1`, `[IPv6:2001:db8::1]`, `[192.0.2.1]:25`, `192.0.2.1:25`, `[(192.0.2.1)]`,
    /// `fe80::1%6`.
    static func find(in octets: FieldOctets, _ range: Range<Int>) -> Range<Int>? {
        var (start, end) = (range.lowerBound, range.upperBound)
        if octets[start] == UInt8(ascii: "[") {
            start += 1
            end = (start..<end).first { octets[$0] == UInt8(ascii: "]") } ?? end
            start = octets.skippingSpace(from: start)
            if octets[start] == UInt8(ascii: "("), end > start + 1,
                octets[end - 1] == UInt8(ascii: ")")
            {
                (start, end) = (start + 1, end - 1)
            }
        }
        guard start < end else { return nil }
        if end - start >= 5, octets.has("ipv6:", at: start) { start += 5 }
        end = (start..<end).first { octets[$0] == UInt8(ascii: "%") } ?? end
        if isIPv4(octets, start..<end) || isIPv6(octets, start..<end) { return start..<end }
        guard let colon = (start..<end).last(where: { octets[$0] == UInt8(ascii: ":") }),
            isIPv4(octets, start..<colon), (colon + 1..<end).allSatisfy({ octets[$0].isDigit })
        else { return nil }
        return start..<colon
    }

    // IPv4-address-literal = Snum 3("." Snum) ; RFC 5321 §4.1.3
    private static func isIPv4(_ octets: FieldOctets, _ range: Range<Int>) -> Bool {
        guard range.count <= 15 else { return false }
        var (parts, digits, value) = (1, 0, 0)
        for index in range {
            if octets[index] == ASCII.dot {
                guard digits > 0 else { return false }
                (parts, digits, value) = (parts + 1, 0, 0)
            } else {
                value = value * 10 + Int(octets[index] & 0x0F)
                digits += 1
                guard octets[index].isDigit, digits <= 3, value < 256 else { return false }
            }
        }
        return parts == 4 && digits > 0
    }

    // IPv6-addr ; RFC 5321 §4.1.3. The letters, digits and colons of one; not whether the groups add up.
    private static func isIPv6(_ octets: FieldOctets, _ range: Range<Int>) -> Bool {
        guard (2...45).contains(range.count) else { return false }
        var colons = 0
        for index in range {
            let octet = octets[index]
            if octet == UInt8(ascii: ":") {
                colons += 1
            } else {
                let isHex =
                    octet.isDigit || (octet.isLetter && octet.lowercased <= UInt8(ascii: "f"))
                guard isHex || octet == ASCII.dot else { return false }
            }
        }
        return (2...8).contains(colons)
    }
}
