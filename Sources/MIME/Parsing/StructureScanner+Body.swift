import MartletBytes

extension StructureScanner {
    /// Goes from one line that begins with a hyphen to the next until one is a delimiter. Whether one was found, or
    /// all octets were looked at.
    mutating func scanBody(_ octets: UnsafeRawBufferPointer, isFinal: Bool) -> Bool {
        while position < octets.count {
            if mayBeDelimiter(octets, at: position) {
                guard let next = nextLine(in: octets, isFinal: isFinal) else { return false }
                let line = position..<next
                advance(to: next)
                if takeDelimiter(octets, line) { return true }
            } else if !skipToHyphen(in: octets, isFinal: isFinal) {
                return false
            }
        }
        return true
    }

    /// Whether the line that starts there begins as a delimiter does, as far as it has come.
    @inline(__always)
    private func mayBeDelimiter(_ octets: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard octets[start] == ASCII.hyphen else { return false }
        guard start + 2 < octets.count else {
            return start + 1 == octets.count || octets[start + 1] == ASCII.hyphen
        }
        return octets[start + 1] == ASCII.hyphen && boundaries.mayBegin(octets, at: start + 2)
    }

    /// Whether the line is a delimiter of an open multipart; if so, everything inside of it ends here.
    private mutating func takeDelimiter(
        _ octets: UnsafeRawBufferPointer, _ line: Range<Int>
    ) -> Bool {
        let content = content(of: line, in: octets)
        guard startsWithDashes(octets, content) else { return false }
        switch boundaries.match(octets, content) {
        case .none:
            return false
        case .delimiter(let place, let hasJunk):
            guard hasRoomForPart(at: line.lowerBound) else { return false }
            guard closeParts(inside: boundaries[place].level, before: line.lowerBound, octets)
            else { break }
            boundaries.removeAll(from: place + 1)
            if hasJunk { add(.junkAfterBoundary, at: line.lowerBound) }
            openChild(at: line.upperBound)
        case .closing(let place, let hasJunk):
            guard closeParts(inside: boundaries[place].level, before: line.lowerBound, octets)
            else { break }
            boundaries.removeAll(from: place)
            if hasJunk { add(.junkAfterBoundary, at: line.lowerBound) }
            open[top].isClosed = true
            parts[current].epilogueStart = line.upperBound
            state = boundaries.isEmpty ? .rest : .body
        }
        return true
    }

    /// Ends all parts that are open inside of the multipart at `level`, before the line at `lineStart`. `false` if one of
    /// them is read again.
    private mutating func closeParts(
        inside level: Int, before lineStart: Int, _ octets: UnsafeRawBufferPointer
    ) -> Bool {
        let end = contentEnd(before: lineStart, octets)
        while top > level {
            if rereadsNewest(upTo: end, octets) { return false }
            closeNewest(at: end, octets)
        }
        // The line end before the first delimiter belongs to it, not to the preamble.
        if parts[current].firstChild < 0 {
            parts[current].preambleEnd = max(parts[current].bodyStart, end)
        }
        return true
    }

    /// The line end before a delimiter belongs to the delimiter. RFC 2046 §5.1.1.
    private func contentEnd(before lineStart: Int, _ octets: UnsafeRawBufferPointer) -> Int {
        guard lineStart > 0 else { return lineStart }
        guard octets[lineStart - 1] == ASCII.lf else { return lineStart - 1 }
        return lineStart > 1 && octets[lineStart - 2] == ASCII.cr ? lineStart - 2 : lineStart - 1
    }

    private mutating func closeNewest(at end: Int, _ octets: UnsafeRawBufferPointer) {
        let part = current
        let newest = open[top]
        parts[part].end = max(parts[part].bodyStart, end)
        switch parts[part].kind {
        case .leaf:
            guard let junk = newest.lastJunk else { break }
            let body = octets[parts[part].bodyStart..<parts[part].end]
            if body.allSatisfy({ $0.isBlank || $0 == ASCII.cr || $0 == ASCII.lf }) {
                parts[part].bodyStart = junk
            }
        case .multipart:
            if parts[part].firstChild < 0 {
                if !newest.isClosed { parts[part].preambleEnd = parts[part].end }
                add(.missingOpeningBoundary, at: parts[part].bodyStart)
            } else if !newest.isClosed {
                add(.missingClosingBoundary, at: parts[part].end)
            }
            if !newest.isClosed { parts[part].epilogueStart = parts[part].end }
        case .message:
            break
        }
        open.removeLast()
    }

    /// There are no more octets for a header that is still open. Whether there was one: its junk or its first child may
    /// have to be looked at yet.
    mutating func finishHeader(_ octets: UnsafeRawBufferPointer) -> Bool {
        guard state == .header else { return false }
        if let bodyStart = header.emptyEnd {
            endEmptyHeader(at: bodyStart, octets)
            return true
        }
        if settleJunk(before: .end, octets) {
            parts[current].bodyStart = octets.count
            endHeader(octets)
        }
        return true
    }

    /// There are no more octets at all. `false` if some of them are read again.
    mutating func closeAll(_ octets: UnsafeRawBufferPointer) -> Bool {
        while !open.isEmpty {
            if rereadsNewest(upTo: octets.count, octets) { return false }
            closeNewest(at: octets.count, octets)
        }
        return true
    }
}
