import MartletBytes

/// Chooses the boundaries of multiparts. RFC 2046 §5.1.1.
///
/// They start with `=_`, which neither base64 nor quoted-printable can contain, and end with sixteen
/// digits. Only parts that travel unencoded are searched, once, for numbers that are taken.
struct Boundaries {
    private static let prefix = [UInt8]("=_martlet_".utf8)
    private static let digitCount = 16

    private var taken: Set<[UInt8]> = []
    private var state: UInt64

    /// Boundaries that vary with `seed`, such as the header: one message always gets the same ones.
    init(seed: [UInt8]) {
        state = fingerprint(of: seed)
    }

    /// Keeps clear of the boundaries that occur in `octets`.
    mutating func avoid(_ octets: UnsafeRawBufferPointer) {
        let length = Self.prefix.count + Self.digitCount
        var index = 0
        while index + length <= octets.count {
            if octets[index] == ASCII.equals, octets[index...].starts(with: Self.prefix) {
                taken.insert([UInt8](octets[(index + Self.prefix.count)..<(index + length)]))
            }
            index += 1
        }
    }

    /// A boundary that occurs in nothing seen so far and is no other boundary's beginning.
    mutating func next() -> String {
        while true {
            state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            let digits = Hex.digits(of: state ^ (state >> 29))
            if taken.insert(digits).inserted {
                return String(decoding: Self.prefix + digits, as: UTF8.self)
            }
        }
    }
}
