import MartletBytes

/// Takes the Content-Length fields out of a message, piece by piece, and tells its header section from its
/// body. The pieces' borders make no difference.
struct ContentLengthFilter {
    private enum State {
        /// At the start of a line of the header section; what came of it is in `held`.
        case lineStart
        /// Inside of a line that stays.
        case kept
        /// Inside of a line that goes.
        case dropped
        case body
    }

    private var state = State.lineStart
    private var held: [UInt8] = []
    private var isDropping = false
    /// The empty line that ended the header section, with its line end.
    private(set) var emptyLine: [UInt8]?

    /// Blanks that may stand between the name and the colon.
    private static let blankLimit = 16

    /// Takes the next octets; `header` gets those of the header section that stay, without the empty line.
    /// - Returns: what belongs to the body.
    mutating func take(_ octets: [UInt8], header: inout [UInt8]) -> ArraySlice<UInt8> {
        guard state != .body else { return octets[...] }
        for (index, octet) in octets.enumerated() {
            take(octet, header: &header)
            if state == .body { return octets[(index + 1)...] }
        }
        return []
    }

    /// Gives what was held back of a header section without an end.
    mutating func finish(header: inout [UInt8]) {
        guard state != .body else { return }
        header += held
        held = []
    }

    private mutating func take(_ octet: UInt8, header: inout [UInt8]) {
        switch state {
        case .body: break
        case .lineStart: start(octet, header: &header)
        case .kept, .dropped:
            if state == .kept { header.append(octet) }
            if octet == ASCII.lf { state = .lineStart }
        }
    }

    private mutating func start(_ octet: UInt8, header: inout [UInt8]) {
        held.append(octet)
        if octet == ASCII.lf, held.count == 1 || held == [ASCII.cr, ASCII.lf] {
            emptyLine = held
            state = .body
            return
        }
        if held.count == 1, octet.isBlank {
            // A folded line goes the way of the line before.
            decide(isDropped: isDropping, header: &header)
            return
        }
        if held == [ASCII.cr] { return }
        let name = ContentLengthField.name
        if held[0] == ASCII.cr {
            // A CR inside of a line: no name has it.
        } else if held.count <= name.count {
            if octet.lowercased == name[held.count - 1] { return }
        } else if octet == 0x3A {
            decide(isDropped: true, header: &header)
            return
        } else if octet.isBlank, held.count <= name.count + Self.blankLimit {
            return
        }
        decide(isDropped: false, header: &header)
        if octet == ASCII.lf { state = .lineStart }
    }

    private mutating func decide(isDropped: Bool, header: inout [UInt8]) {
        isDropping = isDropped
        state = isDropped ? .dropped : .kept
        if !isDropped { header += held }
        held = []
    }
}
