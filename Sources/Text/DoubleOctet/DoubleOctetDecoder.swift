/// How a charset of one and two octets reads what is not a pair of its table.
protocol DoubleOctetRules {
    /// The pairs.
    var table: DoubleOctetTable { get }

    /// Whether an octet above 127 begins a pair.
    static func isLead(_ octet: UInt8) -> Bool

    /// Reads something else than a pair of the table at `offset`, whose octet is above 127.
    ///
    /// - Returns: the offset behind it; `nil` if it is malformed.
    func read(_ input: UnsafeRawBufferPointer, at offset: Int, into output: inout UTF8Output)
        -> Int?
}

/// Decodes charsets in which an octet below 128 is ASCII and others come in pairs.
struct DoubleOctetDecoder<Rules: DoubleOctetRules> {
    let rules: Rules

    private static var blockSize: Int { 4096 }

    func decode(_ input: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        rules.table.entries.withUnsafeBufferPointer { entries in
            var offset = 0
            while offset < input.count {
                let end = min(offset + Self.blockSize, input.count)
                offset = decodeBlock(input, offset, to: end, entries, &output)
                // Where the block did not end, there is no pair.
                if offset >= end { continue }
                offset =
                    rules.read(input, at: offset, into: &output)
                    ?? passBroken(input, at: offset, &output)
            }
        }
    }

    /// Writes ASCII and pairs up to what is neither, or to the end of a block.
    ///
    /// - Returns: the offset behind them, at most one beyond `blockEnd`.
    @inline(__always)
    private func decodeBlock(
        _ input: UnsafeRawBufferPointer, _ start: Int, to blockEnd: Int,
        _ entries: UnsafeBufferPointer<UInt32>, _ output: inout UTF8Output
    ) -> Int {
        var offset = start
        // A pair is four octets at most, also the one that the end of the block cuts.
        output.write(atMost: (blockEnd - start) * 2 + 2) { position in
            while offset < blockEnd {
                let first = input[offset]
                if first < 0x80 {
                    if offset &+ 8 <= blockEnd, ASCIIRun.isEight(input, at: offset) {
                        UnsafeMutableRawPointer(position)
                            .storeBytes(of: ASCIIRun.word(input, offset), as: UInt64.self)
                        position += 8
                        offset &+= 8
                    } else {
                        position.pointee = first
                        position += 1
                        offset &+= 1
                    }
                    continue
                }
                guard offset &+ 1 < input.count else { return }
                let entry = DoubleOctetTable.entry(entries, first, input[offset &+ 1])
                // Nothing, or two characters.
                guard entry &- 1 < DoubleOctetTable.sequenceMark &- 1 else { return }
                UnsafeMutableRawPointer(position)
                    .storeBytes(of: entry.littleEndian, as: UInt32.self)
                position += PackedUTF8.count(of: entry)
                offset &+= 2
            }
        }
        return offset
    }

    /// Writes U+FFFD for a broken pair. An ASCII octet behind its first is kept: it may be the end of a
    /// quotation or of an HTML tag.
    private func passBroken(
        _ input: UnsafeRawBufferPointer, at offset: Int, _ output: inout UTF8Output
    ) -> Int {
        output.appendReplacement(at: offset)
        guard Rules.isLead(input[offset]), offset + 1 < input.count, input[offset + 1] >= 0x80
        else { return offset + 1 }
        return offset + 2
    }
}
