import MartletTransport

/// How long a client is waited for. An octet now and then does not prolong it: only an answer to something whole does, or a good
/// piece of a message.
struct Patience {
    /// Octets of a message that a client has to send within its limit of silence.
    static let pieceInOctets = 64 * 1024

    private var start = ContinuousClock.now
    private var octetsSent = 0
    private var octetsReceived = 0

    /// How long to wait for the next octets.
    ///
    /// - Parameters:
    ///   - limit: of silence.
    ///   - octetsSent: all that the client was answered so far, and what it said itself.
    mutating func left(of limit: Duration, octetsSent: Int, octetsReceived: Int) -> Duration {
        let now = ContinuousClock.now
        if octetsSent > self.octetsSent
            || octetsReceived - self.octetsReceived >= Self.pieceInOctets
        {
            start = now
            self.octetsSent = octetsSent
            self.octetsReceived = octetsReceived
        }
        return max(.zero, limit - (now - start))
    }
}
