import MartletBytes

/// Decodes the encoded text of encoded words to octets of their charset. RFC 2047 §4.
///
/// What is broken costs as little as can be: an escape without digits stays as it is, octets outside of
/// base64's alphabet are passed over, padding may be missing or stand in the middle.
enum EncodedWordText {
    /// Digits of base64 at the end of a word that are less than a group of four, without padding.
    struct Rest {
        var bits: UInt32 = 0
        var count = 0

        /// How many octets the digits are.
        var octetCount: Int { max(0, count - 1) }

        /// Whether `word`, the next, goes on with these digits: there are bits that belong to no octet, where
        /// who ends a text has zeros, and `word` is not whole by itself.
        func goesOn(in word: EncodedWord, of octets: Span<UInt8>) -> Bool {
            let isCut = count == 1 || count > 0 && bits & (count == 2 ? 0xF : 0x3) != 0
            guard isCut, word.isBase64 else { return false }
            let values = Base64.digitValues
            var size = 0
            for index in word.text
            where values[Int(octets[index])] < 64 || octets[index] == ASCII.equals { size += 1 }
            return !size.isMultiple(of: 4)
        }
    }

    /// Appends the octets of `word`.
    ///
    /// - Parameter rest: the digits that `word` goes on with; then those that it leaves.
    /// - Returns: whether the encoding was as it should be.
    static func decode(
        _ word: EncodedWord, in octets: Span<UInt8>, into decoded: inout [UInt8],
        rest: inout Rest
    ) -> Bool {
        let text = octets.extracting(word.text)
        // Both decoders write one octet at most for each that they read, or got.
        return withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: text.count + rest.count
        ) { buffer in
            var output = Output(buffer: buffer)
            let isClean =
                word.isBase64
                ? decodeB(text, rest: &rest, into: &output) : decodeQ(text, into: &output)
            decoded.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<output.count]))
            return isClean
        }
    }

    /// Where decoded octets go.
    private struct Output {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        @inline(__always)
        mutating func append(_ octet: UInt8) {
            precondition(count < buffer.count)
            buffer[count] = octet
            count &+= 1
        }
    }

    // MARK: Q

    private static func decodeQ(_ text: Span<UInt8>, into decoded: inout Output) -> Bool {
        var isClean = true
        var index = 0
        while index < text.count {
            let octet = text[index]
            index += 1
            switch octet {
            case UInt8(ascii: "_"): decoded.append(ASCII.space)
            case ASCII.equals:
                if index + 1 < text.count, let high = text[index].hexValue,
                    let low = text[index + 1].hexValue
                {
                    decoded.append(high << 4 | low)
                    index += 2
                } else {
                    isClean = false
                    // A soft line break is nothing; any other `=` stands for itself.
                    let isSoftBreak = index < text.count && text[index].isLineBreak
                    if !isSoftBreak { decoded.append(octet) }
                }
            case ASCII.cr, ASCII.lf:
                isClean = false
                let start = index - 1
                while index < text.count, text[index].isFoldingSpace { index += 1 }
                if isTextFold(start..<index, of: text) { decoded.append(ASCII.space) }
            default:
                if octet &- 0x21 >= 0x5E { isClean = false }
                decoded.append(octet)
            }
        }
        return isClean
    }

    /// Whether a fold inside of Q text stands for the space at which it was made.
    ///
    /// Programs that cut a word after so many octets add the blank; those that fold where there is a
    /// blank leave it. The first write spaces as `_`, the second raw.
    private static func isTextFold(_ fold: Range<Int>, of text: Span<UInt8>) -> Bool {
        guard fold.lowerBound > 0, fold.upperBound < text.count else { return false }
        // Looked for near the fold only, so that many folds cost no more than their text.
        let near = max(0, fold.lowerBound - 80)..<min(text.count, fold.upperBound + 80)
        var hasEncodedSpace = false
        for index in near where !fold.contains(index) {
            let octet = text[index]
            if octet.isBlank, index > 0, !text[index - 1].isFoldingSpace { return true }
            if octet == UInt8(ascii: "_") { hasEncodedSpace = true }
            if octet == ASCII.equals, index + 2 < text.count, text[index + 1] == UInt8(ascii: "2"),
                text[index + 2] == ASCII.zero
            {
                hasEncodedSpace = true
            }
        }
        if hasEncodedSpace { return false }
        let before = fold.lowerBound
        let isBehindEscape = before >= 3 && text[before - 3] == ASCII.equals
        return !isBehindEscape && text[before - 1] != ASCII.equals
            && text[fold.upperBound] != ASCII.equals
    }

    // MARK: B

    private static func decodeB(
        _ text: Span<UInt8>, rest: inout Rest, into decoded: inout Output
    ) -> Bool {
        let values = Base64.digitValues
        var isClean = true
        var bits = rest.bits
        var digits = rest.count
        var isPadded = false
        for index in text.indices {
            let octet = text[index]
            let digit = values[Int(octet)]
            guard digit < 64 else {
                if octet == ASCII.equals {
                    // Ends a run: what follows starts anew.
                    if !flush(bits, digits, into: &decoded) { isClean = false }
                    isPadded = true
                    digits = 0
                } else {
                    isClean = false
                }
                continue
            }
            if isPadded {
                isClean = false
                isPadded = false
            }
            bits = bits << 6 | UInt32(digit)
            digits += 1
            if digits == 4 {
                decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
                decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
                decoded.append(UInt8(truncatingIfNeeded: bits))
                digits = 0
            }
        }
        // Padding is missing.
        if digits > 0 { isClean = false }
        rest = Rest(bits: bits, count: digits)
        return flush(bits, digits, into: &decoded) && isClean
    }

    /// Appends the octets of an incomplete group. One digit alone is no octet.
    private static func flush(_ bits: UInt32, _ digits: Int, into decoded: inout Output) -> Bool {
        switch digits {
        case 2: decoded.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            decoded.append(UInt8(truncatingIfNeeded: bits >> 10))
            decoded.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return digits == 0
        }
        return true
    }
}
