/// A message in a thread. RFC 5256 §4.
///
/// A response is the list of all nodes, each behind the one that it answers, so that no depth is too deep.
///
///     * THREAD (2)(3 6 (4 23)(44 7 96))
public struct ThreadNode: Hashable, Sendable {
    /// The message, a UID in the answer to UID THREAD, else a sequence number; `nil` for one that is missing and
    /// whose answers are there.
    public var number: UInt32?
    /// The place in the list of the node that this one answers; `nil` for the first of a thread.
    public var parent: Int?

    /// Makes one.
    public init(number: UInt32?, parent: Int?) {
        self.number = number
        self.parent = parent
    }
}
