import MartletBytes

/// Cuts a message where `TOP` does: behind its header and some lines of its body. RFC 1939 §7.
///
/// The server's side uses it to answer, the client's where a server has no `TOP`. Right for any cut into pieces.
public struct HeaderCut: Sendable {
    private enum Place: Sendable {
        case header
        case body(linesLeft: Int)
    }

    private var place = Place.header
    private let bodyLines: Int
    private var lineIsEmpty = true

    /// Starts at the first octet of a message.
    ///
    /// - Parameter bodyLines: lines of the body that belong to it; a negative number is 0.
    public init(bodyLines: Int) { self.bodyLines = max(0, bodyLines) }

    /// Whether nothing more belongs to it.
    public var isDone: Bool {
        if case .body(0) = place { true } else { false }
    }

    /// Looks at the next octets. Lines end with LF, whether CR stands before it or not.
    ///
    /// - Returns: how many of them belong to it.
    public mutating func take(_ octets: UnsafeBufferPointer<UInt8>) -> Int {
        var offset = 0
        while offset < octets.count, !isDone {
            let octet = octets[offset]
            offset += 1
            switch place {
            case .header:
                if octet == ASCII.lf {
                    if lineIsEmpty { place = .body(linesLeft: bodyLines) }
                    lineIsEmpty = true
                } else if octet != ASCII.cr {
                    lineIsEmpty = false
                }
            case .body(let linesLeft):
                if octet == ASCII.lf { place = .body(linesLeft: linesLeft - 1) }
            }
        }
        return offset
    }

    /// Looks at the next octets, and gives those of them that belong to it.
    public mutating func take(_ octets: [UInt8]) -> ArraySlice<UInt8> {
        octets[..<octets.withUnsafeBufferPointer { take($0) }]
    }
}
