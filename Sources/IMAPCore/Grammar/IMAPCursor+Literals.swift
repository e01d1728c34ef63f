import MartletBytes

extension IMAPCursor {
    /// Whether the announcement of a literal is next.
    package var isAtLiteral: Bool {
        has(UInt8(ascii: "{"), at: 0)
            || has(UInt8(ascii: "~"), at: 0) && has(UInt8(ascii: "{"), at: 1)
    }

    // literal = "{" number64 ["+"] "}" CRLF *CHAR8 ; literal8 = "~{" number64 ["+"] "}" CRLF *OCTET
    /// A literal's octets.
    package mutating func literal() throws(ParseFailure) -> ArraySlice<UInt8> {
        let start = index
        guard case .octets(let octets) = try literalData() else {
            index = start
            throw failure("a literal that is small enough to be kept")
        }
        return octets
    }

    /// A literal's octets, or what stands for them.
    package mutating func literalData() throws(ParseFailure) -> MessageData {
        let start = index
        guard let size = literalHead() else { throw failure("literal") }
        if let mark = markHere { return .detached(index: mark.index, size: mark.size) }
        guard let count = Int(exactly: size), count <= end - index else {
            index = start
            throw failure("literal")
        }
        defer { index += count }
        return .octets(octets[index..<index + count])
    }

    /// Reads `{n}` and its line end, and gives n. Nothing is read where there is no such thing.
    private mutating func literalHead() -> UInt64? {
        let start = index
        _ = takeIfPresent(UInt8(ascii: "~"))
        if takeIfPresent(UInt8(ascii: "{")), let size = decimal() {
            _ = takeIfPresent(UInt8(ascii: "+"))
            if takeIfPresent(UInt8(ascii: "}")) {
                _ = takeIfPresent(ASCII.cr)
                if takeIfPresent(ASCII.lf) { return size }
            }
        }
        index = start
        return nil
    }

    private var markHere: DetachedMark? {
        var low = 0
        var high = detached.count
        while low < high {
            let middle = (low + high) / 2
            if detached[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < detached.count && detached[low].offset == offset ? detached[low] : nil
    }

    /// A string's octets, what stands for them, or `NIL`.
    package mutating func nstringData() throws(ParseFailure) -> MessageData {
        if isAtLiteral { return try literalData().detachedFromFrame(of: octets.count) }
        guard let string = try nstring() else { return .nil }
        return MessageData.octets(string).detachedFromFrame(of: octets.count)
    }
}

extension MessageData {
    /// A copy where the octets are much fewer than the frame that they would keep in memory.
    func detachedFromFrame(of count: Int) -> MessageData {
        guard case .octets(let octets) = self, octets.count < 1_024 || octets.count * 4 < count
        else { return self }
        return .octets(Array(octets)[...])
    }
}
