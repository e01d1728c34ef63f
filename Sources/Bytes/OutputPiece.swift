/// Where decoders and encoders write: memory of a fixed size, filled from its start.
struct OutputPiece {
    let memory: UnsafeMutablePointer<UInt8>
    let capacity: Int
    private(set) var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = memory.baseAddress else { preconditionFailure("no room at all") }
        self.memory = base
        capacity = memory.count
    }

    /// Where the next octet goes.
    var end: UnsafeMutablePointer<UInt8> { memory + count }
    /// How many octets fit.
    var room: Int { capacity - count }
    /// What was written.
    var octets: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

    @inline(__always)
    mutating func append(_ octet: UInt8) {
        precondition(count < capacity)
        memory[count] = octet
        count &+= 1
    }

    mutating func append(_ octets: [UInt8]) {
        precondition(octets.count <= room)
        for octet in octets {
            memory[count] = octet
            count &+= 1
        }
    }

    mutating func append(_ octets: Slice<UnsafeBufferPointer<UInt8>>) {
        precondition(octets.count <= room)
        guard let base = UnsafeBufferPointer(rebasing: octets).baseAddress else { return }
        end.update(from: base, count: octets.count)
        count &+= octets.count
    }

    /// Forgets what was written.
    mutating func removeAll() { count = 0 }

    /// Counts octets that were written to `end`.
    @inline(__always)
    mutating func advance(by written: Int) {
        precondition(written <= room)
        count &+= written
    }
}

/// A decoder that takes its input in pieces of any size.
protocol PieceDecoder {
    /// How much room, at least 1, `read` and the decoder's end need behind a piece of `count` octets, with
    /// what waits from the pieces before.
    func room(for count: Int) -> Int
    /// Reads a piece.
    mutating func read(_ text: UnsafeRawBufferPointer, into output: inout OutputPiece)
}

extension [UInt8] {
    /// Appends what `decoder` makes of `text`.
    mutating func append(
        decoding text: UnsafeRawBufferPointer, with decoder: inout some PieceDecoder
    ) {
        // Most bodies become new arrays: those are written in place.
        guard capacity > 0 else {
            let room = decoder.room(for: text.count)
            self = [UInt8](unsafeUninitializedCapacity: room) { memory, count in
                var output = OutputPiece(memory)
                decoder.read(text, into: &output)
                count = output.count
            }
            return
        }
        // Else in pieces that stay in the processor's cache.
        var rest = text[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(32 * 1024))
            rest = rest.dropFirst(piece.count)
            let room = decoder.room(for: piece.count)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
                var output = OutputPiece(memory)
                decoder.read(piece, into: &output)
                append(contentsOf: output.octets)
            }
        }
    }
}

extension [UInt8] {
    /// Appends `count` units of `size` octets each, which `write` puts where it is told to.
    mutating func append(
        writing count: Int, unitsOf size: Int,
        _ write: (Range<Int>, UnsafeMutablePointer<UInt8>) -> Void
    ) {
        guard count > 0 else { return }
        guard capacity > 0 else {
            self = [UInt8](unsafeUninitializedCapacity: count * size) { memory, filled in
                guard let base = memory.baseAddress else { return }
                write(0..<count, base)
                filled = count * size
            }
            return
        }
        let pieceCount = Swift.min(count, Swift.max(1, 32 * 1024 / size))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceCount * size) { memory in
            guard let base = memory.baseAddress else { return }
            for start in stride(from: 0, to: count, by: pieceCount) {
                let range = start..<Swift.min(count, start + pieceCount)
                write(range, base)
                append(contentsOf: UnsafeBufferPointer(start: base, count: range.count * size))
            }
        }
    }
}
