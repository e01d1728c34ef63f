import MartletBytes

/// Octets on their way to the server; knows which of them are secret.
public struct POP3Encoder: Sendable {
    /// What to write.
    public private(set) var octets: [UInt8] = []
    /// Where `octets` hold secrets, in order.
    public private(set) var secretRanges: [Range<Int>] = []

    /// Makes an empty one.
    public init() {}

    /// Empties it for the next batch, keeping its memory. Secrets are zeroed.
    public mutating func removeAll() {
        for range in secretRanges {
            for index in range { octets[index] = 0 }
        }
        secretRanges.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    /// What a log may show: each secret replaced by `•••`.
    public var redacted: [UInt8] {
        var shown: [UInt8] = []
        var offset = 0
        for range in secretRanges {
            shown.append(contentsOf: octets[offset..<range.lowerBound])
            shown.append(contentsOf: "•••".utf8)
            offset = range.upperBound
        }
        shown.append(contentsOf: octets[offset...])
        return shown
    }

    /// Appends a word or a whole line's start.
    public mutating func text(_ text: String) { octets.append(contentsOf: text.utf8) }

    /// Appends a space and a number.
    public mutating func argument(_ number: Int) {
        octets.append(ASCII.space)
        octets.append(contentsOf: String(number).utf8)
    }

    /// Appends octets that no log may show.
    public mutating func secret(_ secret: Secret) {
        let start = octets.count
        secret.withOctets { octets.append(contentsOf: $0) }
        secretRanges.append(start..<octets.count)
    }

    /// Appends octets in base64 that no log may show.
    public mutating func base64(_ secret: Secret) {
        let start = octets.count
        secret.withOctets { Base64.append($0, to: &octets) }
        secretRanges.append(start..<octets.count)
    }

    /// Ends the line.
    public mutating func endOfLine() {
        octets.append(ASCII.cr)
        octets.append(ASCII.lf)
    }
}
