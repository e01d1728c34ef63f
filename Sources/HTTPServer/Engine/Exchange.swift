/// One request and its answer.
///
/// Unchecked: only the library's thread uses what changes; others only compare exchanges. What several threads change
/// is in `Connection.State`.
final class Exchange: @unchecked Sendable {
    /// The target as it came, taken before the library decodes it in place.
    let targetText: String
    /// Where it stands in the library's memory.
    let targetPlace: (start: UInt, count: Int)
    /// Whether the library said that the header is complete.
    var hasBegun = false
    /// What the header said, if it was right.
    var head: RequestHead?
    /// What has come of the body, until the handler has it.
    var body: [UInt8] = []
    /// What of it is counted among all bodies.
    var reservedOctets = 0

    init(targetText: String, targetPlace: (start: UInt, count: Int)) {
        self.targetText = targetText
        self.targetPlace = targetPlace
    }
}
