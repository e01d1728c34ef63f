import MartletBytes

/// What is to be written, in order, each piece with the command that it belongs to.
struct OutputQueue: Sendable {
    private struct Piece: Sendable {
        let id: CommandID
        let piece: CommandPiece
    }

    private var pieces: [Piece] = []
    private var head = 0

    mutating func append(_ piece: CommandPiece, of id: CommandID) {
        if head == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            head = 0
        }
        pieces.append(Piece(id: id, piece: piece))
    }

    /// The command that waits for `+` before the rest of it may be written; `nil` when something can be written, or
    /// nothing is left.
    var waitingCommand: CommandID? {
        guard head < pieces.count, case .waitForContinuation = pieces[head].piece else {
            return nil
        }
        return pieces[head].id
    }

    /// Whether something may be written now.
    var isReady: Bool { head < pieces.count && waitingCommand == nil }

    /// The server said `+`.
    mutating func continueWriting() {
        if waitingCommand != nil { head += 1 }
    }

    /// Drops what is left of a command that waits for `+` and was answered instead.
    mutating func drop(_ id: CommandID) {
        guard waitingCommand == id else { return }
        pieces.removeSubrange(..<head)
        pieces.removeAll { $0.id == id }
        head = 0
    }

    /// Whether something of a command is still to be written.
    func holds(_ id: CommandID) -> Bool { pieces[head...].contains { $0.id == id } }

    /// Whether a message or another literal of a command is still to be written.
    func holdsMessage(of id: CommandID) -> Bool {
        pieces[head...].contains { piece in
            guard piece.id == id else { return false }
            switch piece.piece {
            case .source, .waitForContinuation: return true
            case .octets: return false
            }
        }
    }

    /// As many octets as may be written now, or a source.
    mutating func next() -> SessionOutput? {
        var octets: [UInt8] = []
        var secrets: [Range<Int>] = []
        loop: while head < pieces.count {
            switch pieces[head].piece {
            case .octets(let more, let ranges):
                let start = octets.count
                if start == 0 { octets = more } else { octets.append(contentsOf: more) }
                secrets += ranges.map { $0.lowerBound + start..<$0.upperBound + start }
                head += 1
            case .source(let source):
                guard octets.isEmpty else { break loop }
                let id = pieces[head].id
                head += 1
                return .source(source, id)
            case .waitForContinuation: break loop
            }
        }
        return octets.isEmpty ? nil : .octets(octets, secrets: secrets)
    }
}
