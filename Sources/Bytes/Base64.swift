internal import CMartletOctets

/// Base64, RFC 4648 §4: the plain alphabet with padding, no line ends.
public enum Base64 {
    /// What each octet is worth as a digit; 255 for those that are none.
    package static let digitValues = (0...255 as ClosedRange<UInt8>).map(martlet_base64_value)

    /// How many octets `encode` makes of `count` octets.
    public static func encodedSize(of count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Encodes `octets`.
    public static func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
        octets.withUnsafeOctets { encode(raw: $0) }
    }

    /// Decodes `text`, strictly: no white space, full padding, zero bits behind the last octet
    /// (RFC 4648 §3.2, §3.3, §3.5).
    ///
    /// - Returns: `nil` when `text` is not base64.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withUnsafeOctets { $0.withMemoryRebound(to: UInt8.self) { decode(buffer: $0) } }
    }

    private static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard let base = text.baseAddress, !text.isEmpty else { return [] }
        var isValid = true
        // Room for the blocks of the inner loop; see base64_read.h.
        let octets = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 32) {
            octets, count in
            guard let target = octets.baseAddress else { return }
            let read = martlet_base64_read(martlet_best_variant(), base, text.count, target, &count)
            // The inner loop passes over line ends.
            isValid = read / 4 * 3 == count && read % 4 == 0
            var index = read
            while isValid, index < text.count {
                let isLast = index + 4 == text.count
                isValid = decodeQuantum(
                    UnsafeBufferPointer(rebasing: text[index..<index + 4]), isLast: isLast,
                    to: target, &count)
                index += 4
            }
        }
        return isValid ? octets : nil
    }

    /// Decodes four characters; only the last ones may be padding.
    private static func decodeQuantum(
        _ text: UnsafeBufferPointer<UInt8>, isLast: Bool, to target: UnsafeMutablePointer<UInt8>,
        _ count: inout Int
    ) -> Bool {
        let padding = !isLast || text[3] != ASCII.equals ? 0 : text[2] != ASCII.equals ? 1 : 2
        var bits: UInt32 = 0
        for character in text.prefix(4 - padding) {
            let value = martlet_base64_value(character)
            guard value < 64 else { return false }
            bits = bits << 6 | UInt32(value)
        }
        // The last character that bears octets has bits to spare, which must be zero.
        guard bits & ((1 << UInt32(2 * padding)) - 1) == 0 else { return false }
        bits <<= UInt32(6 * padding)
        for shift in [UInt32(16), 8, 0].prefix(3 - padding) {
            target[count] = UInt8(truncatingIfNeeded: bits >> shift)
            count += 1
        }
        return true
    }

    private static func encode(raw octets: UnsafeRawBufferPointer) -> [UInt8] {
        guard let base = octets.baseAddress, !octets.isEmpty else { return [] }
        let size = encodedSize(of: octets.count)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let target = buffer.baseAddress else { return }
            martlet_base64_write(
                martlet_best_variant(), base.assumingMemoryBound(to: UInt8.self), octets.count,
                target)
            count = size
        }
    }
}
