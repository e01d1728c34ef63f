import MartletBytes

// The shell answers; mistakes are counted.
extension POP3ServerSession {
    /// Answers the last action that asks for an answer. Without one owed it does nothing.
    public mutating func answer(_ answer: POP3ServerAnswer, into output: inout [UInt8]) {
        guard case .asking(let question) = state else { return }
        switch (question, answer) {
        case (.command(let command), .accept): state = .allowed(command)
        case (.command, .refuse(let reply)):
            state = .command
            say(reply, into: &output)
        case (.login, .challenge(let challenge)):
            POP3Reply(.challenge, octets: Base64.encode(challenge)).encode(into: &output)
            state = .challenged
        case (.login, .open(let maildrop)):
            self.maildrop = maildrop
            state = .command
            say(.ok("\(maildrop.messageCount) messages"), into: &output)
        case (.login, .refuse(let reply)):
            state = .command
            mistakes += 1
            say(reply, into: &output)
            checkMistakes(into: &output)
        case (.message(let delivery), .refuse(let reply)):
            guard !delivery.hasBegun else { return messageBreaksOff() }
            state = .command
            say(reply, into: &output)
        case (.commit, .accept):
            maildrop = nil
            state = .closing
            say(.ok("Bye"), into: &output)
        case (.commit, .refuse(let reply)):
            maildrop = nil
            state = .closing
            say(reply, into: &output)
        default:
            // An answer to another question: nothing can be meant by it than no.
            refuseNonsense(question, into: &output)
        }
    }

    private mutating func refuseNonsense(_ question: Question, into output: inout [UInt8]) {
        if case .message(let delivery) = question, delivery.hasBegun { return messageBreaksOff() }
        say(.error(.systemTemporary, "Local error"), into: &output)
        if case .commit = question {
            maildrop = nil
            state = .closing
        } else {
            state = .command
        }
    }

    /// Takes the next octets of the message that `retrieve` asked for: any line ends, no doubled dots.
    ///
    /// - Returns: whether more is wanted; for `TOP` it ends early.
    public mutating func messagePiece(
        _ octets: some Collection<UInt8>, into output: inout [UInt8]
    ) -> Bool {
        guard case .asking(.message(var delivery)) = state else { return false }
        begin(&delivery, into: &output)
        var piece = [UInt8](octets)[...]
        if delivery.cut != nil {
            let count = piece.withUnsafeBufferPointer { delivery.cut?.take($0) ?? $0.count }
            piece = piece.prefix(count)
        }
        delivery.stuffer.append(piece, to: &output)
        state = .asking(.message(delivery))
        return delivery.cut?.isDone != true
    }

    /// Says that the message is whole, or as much of it as is wanted.
    public mutating func messageEnds(into output: inout [UInt8]) {
        guard case .asking(.message(var delivery)) = state else { return }
        begin(&delivery, into: &output)
        delivery.stuffer.finish(into: &output)
        state = .command
    }

    /// Says that the rest of the message cannot be had. The connection is closed, so that nobody takes the part for the whole.
    public mutating func messageBreaksOff() {
        guard case .asking(.message) = state else { return }
        state = .closing
    }

    private func begin(_ delivery: inout Delivery, into output: inout [UInt8]) {
        guard !delivery.hasBegun else { return }
        delivery.hasBegun = true
        let words = delivery.cut == nil ? "\(delivery.entry.sizeInOctets) octets" : ""
        say(.ok(words), into: &output)
    }

    func say(_ reply: POP3Reply, into output: inout [UInt8]) { reply.encode(into: &output) }

    mutating func mistake(_ text: String, into output: inout [UInt8]) {
        mistakes += 1
        say(.error(nil, text), into: &output)
        checkMistakes(into: &output)
    }

    private mutating func checkMistakes(into output: inout [UInt8]) {
        guard mistakes > Self.mistakeLimit else { return }
        say(.error(nil, "Too many mistakes"), into: &output)
        state = .closing
    }
}
