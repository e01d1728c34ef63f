import MartletBytes

extension ResponseFramer {
    /// Gives up what has begun and does not end: a literal of which fewer octets have come than announced, if the next
    /// response stands inside of it, or a line that may go on. `next` then gives the response so far as damaged, and
    /// goes on with what was inside.
    ///
    /// - Returns: whether there was anything to give up.
    public mutating func recoverShortLiteral() -> Bool {
        guard ready.isEmpty else { return true }
        switch state {
        case .line, .detachedEnds: return false
        case .lookahead: ready.append(endOpenLine())
        case .literal:
            buffer.gather()
            guard let response = recovered(from: buffer.frame) else { return false }
            ready.append(.response(response))
        case .detached:
            guard let response = recovered(from: buffer.frame) else { return false }
            ready = [.literalEnds, .response(response)]
        }
        return true
    }

    /// Ends the response within the literal in which the next one stands, if there is such a literal.
    ///
    /// QUIRK(yandex-short-literal): 900 octets are announced, 600 come, and the next reply begins inside.
    mutating func recovered(from frame: ArraySlice<UInt8>) -> ResponseFrame? {
        for literal in literals {
            let isDetached = marks.contains { $0.offset == literal.start }
            if isDetached {
                guard literal.start == literals[literals.count - 1].start else { continue }
                if let response = recoveredFromTail(literal, in: frame) { return response }
                continue
            }
            let start = frame.startIndex + literal.start
            let end = min(frame.endIndex, start + Int(clamping: literal.size))
            guard
                let found = Self.nextResponse(
                    in: frame[start..<end], of: frame, tagPrefix: tagPrefix),
                mayReadAgain(frame.endIndex - found.next)
            else { continue }
            let received = found.close - start
            var octets = Array(frame.prefix(literal.announcement))
            if frame[frame.startIndex + literal.announcement] == UInt8(ascii: "~") {
                octets.append(UInt8(ascii: "~"))
            }
            octets += "{\(received)}\r\n".utf8
            octets += frame[start...found.close]
            let response = ResponseFrame(
                octets: octets[...], detached: marks.filter { $0.offset < literal.start },
                damage: .shortLiteral(announced: literal.size, received: UInt64(received)))
            readAgain(from: found.next - frame.startIndex)
            return response
        }
        return nil
    }

    private mutating func recoveredFromTail(
        _ literal: Literal, in frame: ArraySlice<UInt8>
    ) -> ResponseFrame? {
        let rest = tail + frame.dropFirst(literal.start)
        let inside = rest.prefix(tail.count)
        guard let found = Self.nextResponse(in: inside, of: rest[...], tagPrefix: tagPrefix),
            mayReadAgain(rest.count - found.next)
        else { return nil }
        var missing: UInt64 = 0
        if case .detached(let count) = state { missing = count }
        let received = literal.size - missing - UInt64(tail.count - found.close)
        // What was handed on beyond these is no part of it.
        var marks = marks
        marks[marks.count - 1].size = received
        let response = ResponseFrame(
            octets: Array(frame.prefix(literal.start) + [UInt8(ascii: ")")])[...], detached: marks,
            damage: .shortLiteral(announced: literal.size, received: received))
        // The octets of the tail are read again in front of what the frame has behind the literal.
        buffer.replaceFrame(with: Array(rest))
        readAgain(from: found.next)
        return response
    }

    /// Octets may be read a second time as long as those are no more than have been read at all: the whole stays linear.
    private mutating func mayReadAgain(_ count: Int) -> Bool {
        guard rereadCount + count <= readCount + buffer.frameLength else { return false }
        rereadCount += count
        return true
    }

    /// The first place where a response ends, `)` and a line end, and the next one begins.
    private static func nextResponse(
        in literal: ArraySlice<UInt8>, of frame: ArraySlice<UInt8>, tagPrefix: [UInt8]
    ) -> (close: Int, next: Int)? {
        var index = literal.startIndex
        while let close = literal[index...].firstIndex(of: UInt8(ascii: ")")) {
            index = close + 1
            var next = index
            if next < frame.endIndex, frame[next] == ASCII.cr { next += 1 }
            guard next < frame.endIndex, frame[next] == ASCII.lf else { continue }
            next += 1
            let line = frame[next...]
            if line.isEmpty, next > literal.endIndex { return (close, next) }
            if line.first != UInt8(ascii: "+"), isResponse(line, tagPrefix: tagPrefix) == true {
                return (close, next)
            }
        }
        return nil
    }
}
