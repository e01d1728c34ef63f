/// Decodes charsets whose every octet is a character.
enum SingleOctetDecoder {
    private static let blockSize = 4096

    static func decode(
        _ input: UnsafeRawBufferPointer, as charset: SingleOctetCharset,
        into output: inout UTF8Output
    ) {
        let table = SingleOctetTable.table(of: charset)
        let extendsASCII = charset.lowerHalfExceptions.isEmpty
        table.entries.withUnsafeBufferPointer { entries in
            // An octet indexes a table of 256.
            precondition(entries.count == 256)
            var offset = 0
            while offset < input.count {
                let end = min(offset + blockSize, input.count)
                if !decodeBlock(input, offset..<end, entries, extendsASCII, &output) {
                    countUnused(input, offset..<end, entries, &output)
                }
                offset = end
            }
        }
    }

    /// Writes the octets of `range`, at most three for each; U+FFFD for unused ones.
    ///
    /// - Returns: whether no octet was unused.
    @inline(__always)
    private static func decodeBlock(
        _ input: UnsafeRawBufferPointer, _ range: Range<Int>,
        _ entries: UnsafeBufferPointer<UInt32>, _ extendsASCII: Bool, _ output: inout UTF8Output
    ) -> Bool {
        var seen: UInt32 = 0
        output.write(atMost: range.count * 3) { end in
            var offset = range.lowerBound
            while offset &+ 8 <= range.upperBound {
                let word = ASCIIRun.word(input, offset)
                if extendsASCII, ASCIIRun.isEight(input, at: offset) {
                    UnsafeMutableRawPointer(end).storeBytes(of: word, as: UInt64.self)
                    end += 8
                } else {
                    for index in 0..<8 {
                        seen |= write(entries[Int(input[offset &+ index])], &end)
                    }
                }
                offset &+= 8
            }
            while offset < range.upperBound {
                seen |= write(entries[Int(input[offset])], &end)
                offset &+= 1
            }
        }
        return seen & SingleOctetTable.unusedMark == 0
    }

    /// Stores a word of which one to three octets count; the next store overwrites the rest.
    @inline(__always)
    private static func write(
        _ entry: UInt32, _ end: inout UnsafeMutablePointer<UInt8>
    ) -> UInt32 {
        UnsafeMutableRawPointer(end).storeBytes(of: entry.littleEndian, as: UInt32.self)
        end += Int(truncatingIfNeeded: entry &>> 24 & 3)
        return entry
    }

    private static func countUnused(
        _ input: UnsafeRawBufferPointer, _ range: Range<Int>,
        _ entries: UnsafeBufferPointer<UInt32>, _ output: inout UTF8Output
    ) {
        for offset in range
        where entries[Int(input[offset])] & SingleOctetTable.unusedMark != 0 {
            output.countMalformed(at: offset)
        }
    }
}
