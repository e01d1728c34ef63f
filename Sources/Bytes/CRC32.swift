/// The checksum of PNG, zip, gzip and yEnc: 32 bits, polynomial 0xEDB88320 (ISO 3309, ITU-T V.42).
///
///     var checksum = CRC32()
///     checksum.update(with: octets)
///     checksum.value
public struct CRC32: Sendable {
    // Of each octet, then of the octet with 1 to 7 zero octets behind it: eight octets at once.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for octet in 0..<256 {
            var bits = UInt32(octet)
            for _ in 0..<8 { bits = bits & 1 == 1 ? bits >> 1 ^ 0xEDB8_8320 : bits >> 1 }
            tables[octet] = bits
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The remainder so far, which `value` has inverted.
    public private(set) var state: UInt32

    /// Starts with no octets.
    ///
    /// - Parameter state: the first remainder; formats that do not invert start with 0, and take `state` for the checksum.
    public init(state: UInt32 = 0xFFFF_FFFF) { self.state = state }

    /// The checksum of the octets so far.
    public var value: UInt32 { ~state }

    /// Goes on with the next octets.
    public mutating func update(with octets: UnsafeRawBufferPointer) {
        var state = state
        Self.tables.withUnsafeBufferPointer { tables in
            var index = 0
            // In bounds: eight octets are left, and each look-up is of its own 256 entries of the 2,048.
            while octets.count - index >= 8 {
                let word =
                    UInt64(
                        littleEndian: octets.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    ^ UInt64(state)
                state = 0
                for place in 0..<8 {
                    let octet = Int(truncatingIfNeeded: word >> UInt64(8 * place)) & 0xFF
                    state ^= tables[(7 - place) * 256 + octet]
                }
                index += 8
            }
            while index < octets.count {
                state = state >> 8 ^ tables[Int((state ^ UInt32(octets[index])) & 0xFF)]
                index += 1
            }
        }
        self.state = state
    }

    /// Goes on with the next octets.
    public mutating func update(with octets: [UInt8]) {
        octets.withUnsafeBytes { update(with: $0) }
    }
}
