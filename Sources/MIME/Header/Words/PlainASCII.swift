import MartletBytes

extension Span<UInt8> {
    /// Whether `range` is printable ASCII that stands for itself, also as text with encoded words.
    func isPlainText(_ range: Range<Int>) -> Bool {
        isPlain(range) { word in
            // `=` alone is plain; where there is one, look closer.
            word.hasOctet(ASCII.equals)
        } orElse: { octet, next in
            octet == ASCII.equals && next == UInt8(ascii: "?")
        }
    }

    /// Whether `range` is printable ASCII that stands for itself also in a phrase: words with one space
    /// between them.
    func isPlainPhrase(_ range: Range<Int>) -> Bool {
        isPlain(range) { word in
            let spaces = word.mask(of: ASCII.space)
            return word.hasOctet(ASCII.equals) || word.hasOctet(ASCII.quote)
                || word.hasOctet(UInt8(ascii: "(")) || word.hasOctet(ASCII.backslash)
                || spaces & (spaces >> 8) != 0 || spaces >> 63 != 0
        } orElse: { octet, next in
            octet == ASCII.quote || octet == UInt8(ascii: "(") || octet == ASCII.backslash
                || octet == ASCII.equals && next == UInt8(ascii: "?")
                || octet == ASCII.space && next == ASCII.space
        }
    }

    /// Whether `range` is printable ASCII.
    func isPrintable(_ range: Range<Int>) -> Bool {
        isPlain(range) { _ in
            false
        } orElse: { _, _ in
            false
        }
    }

    /// Whether there is an octet above 127 in `range`.
    func hasNonASCII(_ range: Range<Int>) -> Bool {
        var all: UInt8 = 0
        for index in range { all |= self[index] }
        return all >= 0x80
    }

    /// Whether `range` of UTF-8 may have a control character: it has one of ASCII, or the lead octet of
    /// those from U+0080 to U+009F.
    func mayHaveControls(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            if eightOctets(at: index).mayHaveControls { return true }
            index += 8
        }
        while index < range.upperBound {
            if self[index].isControl || self[index] == 0xC2 { return true }
            index += 1
        }
        return false
    }

    @inline(__always)
    private func eightOctets(at index: Int) -> EightOctets {
        EightOctets(value: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Looks at eight octets at once.
    ///
    /// - Parameters:
    ///   - mayBeOdd: whether eight printable octets need a closer look.
    ///   - isOdd: whether an octet with the one behind it (0 at the end) is not plain.
    @inline(__always)
    private func isPlain(
        _ range: Range<Int>, unless mayBeOdd: (EightOctets) -> Bool,
        orElse isOdd: (UInt8, UInt8) -> Bool
    ) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            var end = index + 8
            if end <= range.upperBound {
                let word = eightOctets(at: index)
                guard word.isPrintable else { return false }
                if !mayBeOdd(word) {
                    index = end
                    continue
                }
            } else {
                end = range.upperBound
            }
            while index < end {
                let octet = self[index]
                index += 1
                guard octet &- 0x20 < 0x5F else { return false }
                if isOdd(octet, index < range.upperBound ? self[index] : 0) { return false }
            }
        }
        return true
    }
}

/// Eight octets as they lie in memory, the first in the lowest bits.
private struct EightOctets {
    var value: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    private static let high: UInt64 = 0x8080_8080_8080_8080

    init(value: UInt64) { self.value = UInt64(littleEndian: value) }

    /// Whether all are from space to `~`.
    var isPrintable: Bool {
        let belowSpace = (value & Self.low) &+ 0x6060_6060_6060_6060
        let isDel = (value & Self.low) &+ Self.ones
        return (value | isDel | ~belowSpace) & Self.high == 0
    }

    /// Whether one is below space, DEL or 0xC2.
    var mayHaveControls: Bool {
        let low = value & Self.low
        let notControl = (low &+ 0x6060_6060_6060_6060) & ~(low &+ Self.ones) | value
        return notControl & Self.high != Self.high || hasOctet(0xC2)
    }

    /// The highest bit of each octet that is `octet`.
    @inline(__always)
    func mask(of octet: UInt8) -> UInt64 {
        let other = value ^ (Self.ones &* UInt64(octet))
        return ~((other & Self.low) &+ Self.low | other | Self.low)
    }

    @inline(__always)
    func hasOctet(_ octet: UInt8) -> Bool { mask(of: octet) != 0 }
}
