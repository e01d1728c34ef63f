import CMartletZlib

/// Compresses octets that come in pieces into raw DEFLATE. RFC 1951, for COMPRESS=DEFLATE of RFC 4978.
///
///     try deflater.append(command, to: &output)
///     try deflater.flush(to: &output)        // now the other side can read all of it
///
/// One task uses it at a time.
public final class Deflater {
    /// How much memory it keeps, which decides how far back repeated octets are found.
    public enum Memory: Sendable {
        /// 256 KiB: finds what is 32 KiB back. For whoever sends much.
        case large
        /// 32 KiB: finds what is 4 KiB back. For commands.
        case small

        var windowBits: Int32 { self == .large ? 15 : 12 }
        // (1 << (windowBits + 2)) + (1 << (level + 9)) octets, zconf.h says
        var level: Int32 { self == .large ? 8 : 5 }
    }

    // zlib keeps its address, so that it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// Whether octets were taken that no flush has handed out yet.
    private var hasPending = false

    /// Prepares a stream.
    ///
    /// - Parameters:
    ///   - level: 1, fast, to 9, small; others are taken for the nearest.
    ///   - memory: how much is kept.
    /// - Throws: `.noMemory`.
    public init(level: Int = 6, memory: Memory = .large) throws(CompressionError) {
        stream.initialize(to: z_stream())
        let level = Int32(min(9, max(1, level)))
        guard martlet_deflate_init(stream, level, memory.windowBits, memory.level) == Z_OK else {
            stream.deallocate()
            throw CompressionError(.noMemory)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses octets. What comes of them may come later: see `flush`.
    public func append(_ octets: [UInt8], to output: inout [UInt8]) throws(CompressionError) {
        try append(octets[...], to: &output)
    }

    /// Compresses octets. What comes of them may come later: see `flush`.
    public func append(
        _ octets: ArraySlice<UInt8>, to output: inout [UInt8]
    ) throws(CompressionError) {
        guard !octets.isEmpty else { return }
        hasPending = true
        try octets.withUnsafeBufferPointer { octets throws(CompressionError) in
            try run(octets, Z_NO_FLUSH, into: &output)
        }
    }

    /// Writes all that was appended so far, ended at an octet, so that the other side can expand it (`Z_SYNC_FLUSH`). Does
    /// nothing when nothing was appended since the last time.
    public func flush(to output: inout [UInt8]) throws(CompressionError) {
        guard hasPending else { return }
        hasPending = false
        try run(UnsafeBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH, into: &output)
    }

    /// Writes the end of the stream. Nothing may be appended after it; COMPRESS=DEFLATE has no such end.
    package func finish(to output: inout [UInt8]) throws(CompressionError) {
        try run(UnsafeBufferPointer(start: nil, count: 0), Z_FINISH, into: &output)
    }

    /// Room for output that is made at once, in one copy.
    private static let blank = [UInt8](repeating: 0, count: 16 * 1024)

    private func run(
        _ octets: UnsafeBufferPointer<UInt8>, _ flush: Int32, into output: inout [UInt8]
    ) throws(CompressionError) {
        var rest = octets[...]
        repeat {
            // zlib counts in 32 bits
            let part = UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = rest.dropFirst(part.count)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: part.baseAddress)
            stream.pointee.avail_in = UInt32(part.count)
            repeat {
                let room = Self.blank.count
                let start = output.count
                output.append(contentsOf: Self.blank)
                let result = output.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress.map { $0 + start }
                    stream.pointee.avail_out = UInt32(room)
                    return deflate(stream, flush)
                }
                output.removeLast(Int(stream.pointee.avail_out))
                // No progress is no failure: all is written already.
                guard result >= Z_OK || result == Z_BUF_ERROR else {
                    throw CompressionError(.noMemory)
                }
            } while stream.pointee.avail_out == 0
        } while !rest.isEmpty
        stream.pointee.next_in = nil
    }
}
