/// Base64, RFC 4648 §4: the plain alphabet with padding, no line ends.
public enum Base64 {
    static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The two characters of every 12 bits, in memory order: half the look-ups of one per character.
    private static let pairs: [UInt16] = (0..<4096).map { bits in
        UInt16(littleEndian: UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8)
    }

    /// The value of every character; 0xFF for octets outside of the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// How many octets `encode` makes of `count` octets.
    public static func encodedSize(of count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Encodes `octets`.
    public static func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
        let contiguous = octets.withContiguousStorageIfAvailable { encode(raw: .init($0)) }
        return contiguous ?? [UInt8](octets).withUnsafeBytes { encode(raw: $0) }
    }

    /// Decodes `text`, strictly: no white space, full padding, zero bits behind the last octet
    /// (RFC 4648 §3.2, §3.3, §3.5).
    ///
    /// - Returns: `nil` when `text` is not base64.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let contiguous = text.withContiguousStorageIfAvailable { decode(buffer: $0) }
        return contiguous ?? [UInt8](text).withUnsafeBufferPointer { decode(buffer: $0) }
    }

    private static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.reversed().prefix(2).prefix { $0 == ASCII.equals }.count
        let characters = text.count - padding
        // The last character that bears octets has bits to spare, which must be zero.
        let spareBits = UInt32(2 * padding)
        var wrong: UInt8 = 0
        let octets = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { octets, count in
            values.withUnsafeBufferPointer { values in
                var bits: UInt32 = 0
                var held: UInt32 = 0
                for index in 0..<characters {
                    let value = values[Int(text[index])]
                    wrong |= value
                    bits = bits &<< 6 | UInt32(value & 63)
                    held &+= 6
                    guard held >= 8 else { continue }
                    held &-= 8
                    octets[count] = UInt8(truncatingIfNeeded: bits &>> held)
                    count &+= 1
                }
                if bits & ((1 &<< spareBits) &- 1) != 0 { wrong = 0xFF }
            }
        }
        return wrong & 0xC0 == 0 ? octets : nil
    }

    private static func encode(raw octets: UnsafeRawBufferPointer) -> [UInt8] {
        let size = encodedSize(of: octets.count)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            if let target = UnsafeMutableRawPointer(buffer.baseAddress) {
                write(octets, to: target)
            }
            count = size
        }
    }

    /// Writes `encodedSize(of: octets.count)` characters to `target`.
    static func write(_ octets: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        pairs.withUnsafeBufferPointer { pairs in
            var target = target
            var offset = 0
            while offset &+ 3 <= octets.count {
                let bits =
                    Int(octets[offset]) &<< 16 | Int(octets[offset &+ 1]) &<< 8
                    | Int(octets[offset &+ 2])
                target.storeBytes(of: pairs[bits &>> 12], as: UInt16.self)
                target.storeBytes(of: pairs[bits & 0xFFF], toByteOffset: 2, as: UInt16.self)
                target += 4
                offset &+= 3
            }
            guard offset < octets.count else { return }
            var bits = Int(octets[offset]) << 16
            if offset + 1 < octets.count { bits |= Int(octets[offset + 1]) << 8 }
            target.storeBytes(of: pairs[bits >> 12], as: UInt16.self)
            target.storeBytes(of: pairs[bits & 0xFFF], toByteOffset: 2, as: UInt16.self)
            target.storeBytes(of: ASCII.equals, toByteOffset: 3, as: UInt8.self)
            if offset + 1 == octets.count {
                target.storeBytes(of: ASCII.equals, toByteOffset: 2, as: UInt8.self)
            }
        }
    }
}
