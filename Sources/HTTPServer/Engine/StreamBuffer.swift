/// The pieces of a streamed response that wait for the client, and the writer that waits for room.
///
/// A value inside `Connection.State`, whose lock guards it.
struct StreamBuffer {
    /// The writer: told whether the client still takes octets.
    private var writer: UnsafeContinuation<Bool, Never>?
    private var pieces: [[UInt8]] = []
    private var firstPiece = 0
    private var offset = 0
    private(set) var count = 0
    /// Whether nothing more comes.
    private(set) var isFinished = false
    /// Whether what came is not all: the client must not take it for that.
    private(set) var isBroken = false

    /// Takes a piece. The writer goes on at once, or when there is room.
    mutating func append(_ piece: [UInt8], limit: Int, _ writer: UnsafeContinuation<Bool, Never>) {
        guard !isFinished else { return writer.resume(returning: false) }
        if !piece.isEmpty {
            pieces.append(piece)
            count += piece.count
        }
        if count <= limit {
            writer.resume(returning: true)
        } else {
            self.writer = writer
        }
    }

    /// Moves octets to `target`, as many as fit, and lets the writer go on once few enough are left.
    mutating func read(into target: UnsafeMutableRawBufferPointer, limit: Int) -> Int {
        var filled = 0
        while filled < target.count, firstPiece < pieces.count {
            let piece = pieces[firstPiece]
            let length = min(target.count - filled, piece.count - offset)
            piece.withUnsafeBytes { octets in
                // `length` is within both: it is what is left of the shorter one
                UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + length])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: octets[offset..<offset + length]))
            }
            filled += length
            offset += length
            if offset == piece.count {
                pieces[firstPiece] = []
                firstPiece += 1
                offset = 0
            }
        }
        count -= filled
        if firstPiece == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            firstPiece = 0
        }
        if count <= limit { release(true) }
        return filled
    }

    /// Ends the stream, whoever wishes it; the first end counts.
    mutating func finish(broken: Bool) {
        if !isFinished {
            isFinished = true
            isBroken = broken
        }
        release(false)
    }

    private mutating func release(_ goesOn: Bool) {
        writer?.resume(returning: goesOn)
        writer = nil
    }
}
