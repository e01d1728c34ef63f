import MartletBytes

/// Octets on their way to the server; knows which of them are secret.
public struct SMTPEncoder: Sendable {
    /// What to write. A shell may append a message's octets here too.
    public var octets: [UInt8] = []
    /// Where `octets` hold secrets, in order.
    public private(set) var secretRanges: [Range<Int>] = []

    /// Makes an empty one.
    public init() {}

    /// Empties it for the next batch, keeping its memory. Secrets are zeroed.
    public mutating func removeAll() {
        for range in secretRanges {
            for index in range where index < octets.count { octets[index] = 0 }
        }
        secretRanges.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    /// What a log may show: each secret replaced by `•••`.
    public var redacted: [UInt8] {
        var shown: [UInt8] = []
        var offset = 0
        for range in secretRanges where range.upperBound <= octets.count {
            shown.append(contentsOf: octets[offset..<range.lowerBound])
            shown.append(contentsOf: "•••".utf8)
            offset = range.upperBound
        }
        shown.append(contentsOf: octets[offset...])
        return shown
    }

    mutating func text(_ text: StaticString) {
        octets.append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func text(_ text: String) { octets.append(contentsOf: text.utf8) }

    mutating func path(_ mailbox: PathMailbox?) {
        octets.append(ASCII.less)
        if let mailbox { octets.append(contentsOf: mailbox.octets) }
        octets.append(ASCII.greater)
    }

    mutating func number(_ value: Int) {
        if value >= 10 { number(value / 10) }
        octets.append(ASCII.zero + UInt8(value % 10))
    }

    mutating func base64(_ secret: Secret) {
        let start = octets.count
        secret.withOctets { Base64.append($0, to: &octets) }
        secretRanges.append(start..<octets.count)
    }

    mutating func secret(_ octets: some Collection<UInt8>) {
        let start = self.octets.count
        self.octets.append(contentsOf: octets)
        secretRanges.append(start..<self.octets.count)
    }

    mutating func endOfLine() {
        octets.append(ASCII.cr)
        octets.append(ASCII.lf)
    }
}
