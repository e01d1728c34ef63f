import MartletBytes

/// Multiparts whose boundary is another than their `Content-Type` says.
extension StructureScanner {
    /// Lines with `--` in front that are looked at for one multipart.
    private static var lineLimit: Int { 1_000 }

    /// Sets the scanner back into the newest part, a multipart that would end at `end` without a part of its own, if
    /// body parts begin there behind lines of another boundary. Whether it did.
    ///
    /// Programs change the case of the parameter, lose a part of it, or put quotes and backslashes into it.
    mutating func rereadsNewest(upTo end: Int, _ octets: UnsafeRawBufferPointer) -> Bool {
        let part = parts[current]
        guard part.kind == .multipart, part.firstChild < 0, !open[top].isClosed,
            boundaries.last?.level == top, parts.count < limits.partCount,
            // One that is encoded is looked into when it is decoded.
            encoding(octets).isIdentity,
            let line = firstLikelyDelimiter(in: part.bodyStart..<max(part.bodyStart, end), octets)
        else { return false }
        guard boundaries.foundCount < limits.foundBoundaryDepth else {
            add(.limitReached, at: line.lowerBound, limit: "foundBoundaryDepth")
            return false
        }
        add(.missingOpeningBoundary, at: part.bodyStart)
        boundaries.replaceLast(with: BoundaryStack.text(octets, line))
        advance(to: line.lowerBound)
        state = .body
        return true
    }

    /// The first line with `--` in front that a field of a body part follows, or that is nearly the boundary, or for which
    /// there is a closing delimiter; without its line end.
    private func firstLikelyDelimiter(
        in body: Range<Int>, _ octets: UnsafeRawBufferPointer
    ) -> Range<Int>? {
        var start = body.lowerBound
        // A line before an empty one: what would begin a part without fields.
        var possible: Range<Int>?
        var lineCount = 0
        while start < body.upperBound, lineCount < Self.lineLimit {
            if octets[start] == ASCII.hyphen {
                let next = octets.firstOffset(of: lineEnd, from: start).map { $0 + 1 }
                let following = next ?? octets.count
                let line = content(of: start..<following, in: octets)
                if startsWithDashes(octets, line) {
                    lineCount += 1
                    let text = BoundaryStack.text(octets, line)
                    if startsWithContentField(octets, at: following)
                        || boundaries.resemblesLast(text)
                    {
                        return line
                    }
                    if let possible, isClosing(octets, line, of: possible) { return possible }
                    if possible == nil, text.contains(where: { $0 != ASCII.hyphen }),
                        startsWithLineEnd(octets, at: following)
                    {
                        possible = line
                    }
                }
            }
            // The line behind the body begins with a hyphen, or is the end.
            guard let end = octets.firstOffset(of: lineEnd, before: ASCII.hyphen, from: start)
            else { return nil }
            start = end + 1
        }
        return nil
    }

    private func isClosing(
        _ octets: UnsafeRawBufferPointer, _ line: Range<Int>, of delimiter: Range<Int>
    ) -> Bool {
        line.count == delimiter.count + 2
            && octets[line].dropLast(2).elementsEqual(octets[delimiter])
            && octets[line].suffix(2).elementsEqual("--".utf8)
    }

    private func startsWithLineEnd(_ octets: UnsafeRawBufferPointer, at start: Int) -> Bool {
        octets[start...].first.map { $0 == ASCII.cr || $0 == ASCII.lf } ?? false
    }

    private func startsWithContentField(_ octets: UnsafeRawBufferPointer, at start: Int) -> Bool {
        let name = "content-".utf8
        return octets[start...].prefix(name.count).lazy.map(\.lowercased).elementsEqual(name)
    }
}
