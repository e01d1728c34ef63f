import MartletBytes

/// Octets as text, for a test's messages and comparisons.
public func text(_ octets: some Sequence<UInt8>) -> String {
    String(decoding: Array(octets), as: UTF8.self)
}

/// The octets of a text that is written with LF; in mail lines end with CRLF.
public func crlf(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == ASCII.lf ? [ASCII.cr, ASCII.lf] : [$0] }
}

/// Octets in lower-case hexadecimal digits.
public func hex(_ octets: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for octet in octets { Hex.append(octet, to: &digits) }
    return text(digits).lowercased()
}

/// The octets of hexadecimal digits; `nil` if they are none.
public func octets(hex: some StringProtocol) -> [UInt8]? {
    let digits = Array(hex.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let octet = UInt8(text(digits[index..<(index + 2)]), radix: 16) else { return nil }
        octets.append(octet)
    }
    return octets
}
