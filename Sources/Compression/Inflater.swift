import CMartletZlib

/// Expands raw DEFLATE that comes in pieces, as much at a time as the caller wants. RFC 1951, RFC 4978.
///
///     try inflater.append(octets)
///     while try inflater.next(into: &plain) > 0 { …take what is in plain… }
///
/// A few octets may expand to a thousand times as many: so they are pulled, at most `outputLimitInOctets` with each call,
/// and never more compressed octets are kept than `inputLimitInOctets`. It takes 44 KiB besides.
///
/// One task uses it at a time.
public final class Inflater {
    /// Most octets that one call gives, unless it asks for fewer.
    public static let outputLimitInOctets = 64 * 1024
    /// Most compressed octets that wait to be expanded.
    public static let inputLimitInOctets = 1024 * 1024

    /// Makes room in one copy.
    private static let blank = [UInt8](repeating: 0, count: outputLimitInOctets)

    // zlib keeps its address, so that it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var input: [UInt8] = []
    private var consumed = 0
    private var failure: CompressionError?
    /// Whether the compressed octets said that they end here.
    public private(set) var isAtEnd = false

    /// Prepares a stream.
    ///
    /// - Throws: `.noMemory`.
    public init() throws(CompressionError) {
        stream.initialize(to: z_stream())
        guard martlet_inflate_init(stream) == Z_OK else {
            stream.deallocate()
            throw CompressionError(.noMemory)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Compressed octets that have not been expanded yet.
    public var pendingInputCount: Int { input.count - consumed }

    /// Takes compressed octets.
    ///
    /// - Throws: `.tooMuchInput` when more would wait than `inputLimitInOctets`; nothing of these is taken then.
    ///   `.dataAfterEnd` and `.damaged` when that was found before.
    public func append(_ octets: [UInt8]) throws(CompressionError) { try append(octets[...]) }

    /// Takes compressed octets.
    ///
    /// - Throws: `.tooMuchInput` when more would wait than `inputLimitInOctets`; nothing of these is taken then.
    ///   `.dataAfterEnd` and `.damaged` when that was found before.
    public func append(_ octets: ArraySlice<UInt8>) throws(CompressionError) {
        if let failure { throw failure }
        guard octets.count <= Self.inputLimitInOctets - pendingInputCount else {
            throw CompressionError(.tooMuchInput)
        }
        if consumed == input.count {
            input.removeAll(keepingCapacity: true)
        } else if consumed > 0 {
            input.removeFirst(consumed)
        }
        consumed = 0
        input.append(contentsOf: octets)
    }

    /// Appends the next expanded octets to `output`.
    ///
    /// - Parameter limit: at most this many, and never more than `outputLimitInOctets`.
    /// - Returns: how many there were; none when more compressed octets are needed, or at the end.
    /// - Throws: `.damaged` where the compressed octets are wrong, after all that came before was given; `.dataAfterEnd`
    ///   when there are more behind their end. It throws the same for ever after.
    public func next(
        into output: inout [UInt8], atMost limit: Int = outputLimitInOctets
    ) throws(CompressionError) -> Int {
        if let failure { throw failure }
        if isAtEnd {
            guard pendingInputCount == 0 else { throw fail(.dataAfterEnd) }
            return 0
        }
        let room = min(max(0, limit), Self.outputLimitInOctets)
        guard room > 0 else { return 0 }
        let start = output.count
        output.append(contentsOf: Self.blank.prefix(room))
        let result = output.withUnsafeMutableBufferPointer { buffer in
            expand(into: buffer, from: start, room)
        }
        let count = room - Int(stream.pointee.avail_out)
        output.removeLast(room - count)
        switch result {
        case Z_OK: break
        case Z_BUF_ERROR: break  // it wants more to read
        case Z_STREAM_END:
            isAtEnd = true
            // What is right is given first.
            if count == 0, pendingInputCount > 0 { throw fail(.dataAfterEnd) }
        case Z_MEM_ERROR: throw fail(.noMemory)
        default:
            let words = stream.pointee.msg.map { String(cString: $0) } ?? ""
            let error = fail(.damaged, words)
            if count == 0 { throw error }
        }
        return count
    }

    private func expand(
        into buffer: UnsafeMutableBufferPointer<UInt8>, from start: Int, _ room: Int
    ) -> Int32 {
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress.map { $0 + consumed }
            stream.pointee.avail_in = UInt32(input.count - consumed)
            stream.pointee.next_out = buffer.baseAddress.map { $0 + start }
            stream.pointee.avail_out = UInt32(room)
            let result = inflate(stream, Z_SYNC_FLUSH)
            consumed = input.count - Int(stream.pointee.avail_in)
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
            return result
        }
    }

    private func fail(_ kind: CompressionError.Kind, _ detail: String = "") -> CompressionError {
        let error = CompressionError(kind, detail)
        failure = error
        return error
    }
}
