import Dispatch
import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard input as lines, read on a thread of its own and only when a line is wanted.
///
/// Only one task may ask for lines. One that is cancelled gets no more.
final class LineInput: Sendable {
    /// Octets of a line, at most; the rest of a longer one comes as another line.
    static let lineLimitInOctets = 1 << 20

    private let pieces: AsyncStream<[UInt8]>
    private let demand = DispatchSemaphore(value: 0)

    init() {
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        let demand = demand
        DispatchQueue(label: "martlet.input").async {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                demand.wait()
                let count = systemRead(&buffer)
                guard count > 0 else { break }
                continuation.yield([UInt8](buffer[..<count]))
            }
            continuation.finish()
        }
    }

    /// Starts giving lines.
    func lines() -> Lines { Lines(pieces: pieces.makeAsyncIterator(), demand: demand) }

    /// The lines, without their ends.
    struct Lines {
        fileprivate var pieces: AsyncStream<[UInt8]>.Iterator
        fileprivate let demand: DispatchSemaphore
        private var buffered: ArraySlice<UInt8> = []
        private var hasEnded = false

        fileprivate init(
            pieces: AsyncStream<[UInt8]>.Iterator, demand: DispatchSemaphore
        ) {
            self.pieces = pieces
            self.demand = demand
        }

        /// Whether the next line has to be read first.
        var isDry: Bool { !buffered.contains(ASCII.lf) }

        /// The next line; `nil` at the end of the input.
        mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async -> [UInt8]? {
            var searched = 0
            while true {
                if let end = buffered.dropFirst(searched).firstIndex(of: ASCII.lf) {
                    var line = buffered[..<end]
                    buffered = buffered[(end + 1)...]
                    if line.last == ASCII.cr { line = line.dropLast() }
                    return [UInt8](line)
                }
                searched = buffered.count
                if hasEnded || searched >= LineInput.lineLimitInOctets {
                    defer { buffered = [] }
                    return buffered.isEmpty ? nil : [UInt8](buffered)
                }
                demand.signal()
                if let piece = await pieces.next(isolation: isolation) {
                    buffered = [UInt8](buffered)[...] + piece
                } else {
                    hasEnded = true
                }
            }
        }
    }
}

private func systemRead(_ buffer: inout [UInt8]) -> Int {
    while true {
        let count = read(0, &buffer, buffer.count)
        if count >= 0 || errno != EINTR { return count }
    }
}
