import Synchronization

/// Memory that decoders write to, kept for the next one: pages that are new to the process take longer to
/// come by than text takes to decode.
struct OutputMemory: @unchecked Sendable {
    // Who takes one from `kept` is the only one that knows its address.
    private let start: UnsafeMutablePointer<UInt8>

    /// Octets of each piece that is kept. Those that are never written to have no pages.
    static let size = 1024 * 1024
    /// How many are kept: as many decoders as may run at a time for this to be of use.
    private static let countLimit = 4

    private static let kept = Mutex<[OutputMemory]>([])

    /// Memory of `size` octets.
    static func take(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if size == Self.size, let memory = kept.withLock({ $0.popLast() }) { return memory.start }
        return .allocate(capacity: size)
    }

    /// Takes back what ``take(_:)`` gave.
    static func giveBack(_ start: UnsafeMutablePointer<UInt8>, _ size: Int) {
        let memory = OutputMemory(start: start)
        let isKept =
            size == Self.size
            && kept.withLock { kept in
                guard kept.count < countLimit else { return false }
                kept.append(memory)
                return true
            }
        if !isKept { start.deallocate() }
    }
}
