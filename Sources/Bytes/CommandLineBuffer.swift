/// What a client sent: lines while it commands, octets while it sends a message. Linear for any cut.
package struct CommandLineBuffer: Sendable {
    package enum Next {
        /// No whole line is there.
        case none
        /// The place of a line without its line end.
        case line(Range<Int>)
        /// A line was too long; it was dropped to its end.
        case tooLong
        /// A line is so long that its end is not worth waiting for.
        case endless
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private var isDropping = false
    private var octetsDropped = 0

    /// An empty one.
    package init() {}

    /// Octets of a line that are dropped while its end is awaited.
    package static let dropLimitInOctets = 1024 * 1024

    /// Whether octets wait.
    package var hasOctets: Bool { start < buffer.count }

    /// Forgets all that came.
    package mutating func removeAll() {
        buffer.removeAll(keepingCapacity: true)
        start = 0
        scanned = 0
        isDropping = false
    }

    /// Takes octets as they come.
    package mutating func append(_ octets: UnsafeBufferPointer<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
            scanned = 0
        } else if start > 4096, start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: octets)
    }

    /// The next line, ended by CRLF or LF, of at most `limit` octets with its end.
    package mutating func next(limit: Int) -> Next {
        let count = buffer.count
        var offset = scanned
        buffer.withUnsafeBufferPointer { octets in
            while offset < count, octets[offset] != ASCII.lf { offset += 1 }
        }
        scanned = offset
        guard offset < count else {
            if count - start >= limit || isDropping {
                // Nothing of it is wanted: only its end.
                isDropping = true
                octetsDropped += count - start
                start = count
                scanned = count
                if octetsDropped > Self.dropLimitInOctets { return .endless }
            }
            return .none
        }
        let line = start..<offset
        start = offset + 1
        scanned = start
        if isDropping || line.count + 1 > limit {
            isDropping = false
            octetsDropped = 0
            return .tooLong
        }
        let hasCR = !line.isEmpty && buffer[offset - 1] == ASCII.cr
        return .line(hasCR ? line.dropLast() : line)
    }

    /// Lends the octets of a line.
    package func withOctets<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeBufferPointer { octets throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: octets[range]))
        }
    }

    /// Zeroes a line that was read: it may have held a password.
    package mutating func clear(_ range: Range<Int>) {
        guard range.upperBound <= buffer.count else { return }
        for index in range { buffer[index] = 0 }
    }

    /// Lends at most `limit` octets; `body` says how many it used.
    package mutating func take(atMost limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Int) {
        let end = min(buffer.count, start + limit)
        let used = buffer.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[start..<end]))
        }
        start += used
        scanned = start
    }
}
