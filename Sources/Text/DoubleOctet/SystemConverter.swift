import CMartletIconv

/// The system's iconv, from one of its charsets to numbers of characters.
///
/// It is asked for whole tables, never for text: what it does with malformed text differs from system to
/// system.
struct SystemConverter: ~Copyable {
    private let descriptor: iconv_t

    /// `nil` where the system knows the charset by none of `names`.
    init?(from names: [String]) {
        for target in ["UCS-4LE", "UTF-32LE"] {
            for name in names {
                let descriptor = iconv_open(target, name)
                // iconv_open returns -1 where it fails.
                if Int(bitPattern: descriptor) != -1, let descriptor {
                    self.descriptor = descriptor
                    return
                }
            }
        }
        return nil
    }

    deinit { _ = iconv_close(descriptor) }

    /// Converts octets from the beginning up to the first that are no character.
    ///
    /// - Parameter characters: where the characters go: room for as many as there can be.
    /// - Returns: how many characters were written, and how many octets they were.
    func convert(
        _ octets: UnsafeMutableBufferPointer<CChar>,
        into characters: UnsafeMutableBufferPointer<UInt32>
    ) -> (characterCount: Int, consumedCount: Int) {
        let sizeInOctets = characters.count * MemoryLayout<UInt32>.size
        // Bound for this call only; both types are trivial, and iconv writes whole words.
        return characters.withMemoryRebound(to: CChar.self) { room in
            var input = octets.baseAddress
            var inputLeft = octets.count
            var output = room.baseAddress
            var outputLeft = sizeInOctets
            _ = iconv(descriptor, nil, nil, nil, nil)
            _ = iconv(descriptor, &input, &inputLeft, &output, &outputLeft)
            return ((sizeInOctets - outputLeft) / 4, octets.count - inputLeft)
        }
    }
}
