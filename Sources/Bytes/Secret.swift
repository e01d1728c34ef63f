/// A password or token. Its octets are zeroed when the last copy goes, and no description shows them.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    // The one place where the octets live: `withOctets` lends them, nothing hands out the storage.
    private final class Storage: Sendable {
        // Written in `init` and `deinit` only, so that sharing it between threads is safe.
        nonisolated(unsafe) let octets: UnsafeMutableBufferPointer<UInt8>

        init(_ source: some Collection<UInt8>) {
            octets = .allocate(capacity: source.count)
            _ = octets.initialize(from: source)
        }

        deinit {
            Secret.clear(octets)
            octets.deallocate()
        }
    }

    private let storage: Storage

    // Not optimised, since a store right before `deallocate` looks dead and would be removed.
    @_optimize(none)
    private static func clear(_ octets: UnsafeMutableBufferPointer<UInt8>) {
        for index in octets.indices { octets[index] = 0 }
    }

    /// Keeps a copy of `octets`.
    public init(octets: some Collection<UInt8>) { storage = Storage(octets) }

    /// Keeps the UTF-8 form of `text`.
    public init(_ text: String) { storage = Storage(Array(text.utf8)) }

    /// The number of octets.
    public var count: Int { storage.octets.count }

    /// Lends the octets for the time of `body`. Copies made there are the caller's to clear.
    public func withOctets<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeBufferPointer(storage.octets))
    }

    /// Whether both hold the same octets. Takes the same time wherever they differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        left.withOctets { left in
            right.withOctets { right in
                guard left.count == right.count else { return false }
                var difference: UInt8 = 0
                for index in left.indices { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }

    /// `•••`.
    public var description: String { "•••" }
    /// `•••`.
    public var debugDescription: String { "•••" }
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
