import MartletBytes

// Octets of a message come in.
extension SMTPServerSession {
    mutating func take(
        _ current: Message, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        var message = current
        if message.unstuffer.isAtEnd {
            state = .asking(.message)
            return .messageEnds
        }
        var piece: [UInt8] = []
        lines.take(atMost: Self.pieceLimitInOctets) { message.unstuffer.append($0, to: &piece) }
        message.sizeInOctets += piece.count
        let limit = configuration.maximumSizeInOctets
        let wasTooLarge = message.isTooLarge
        message.isTooLarge = message.sizeInOctets > limit
        state = .message(message)
        if message.isTooLarge {
            if message.unstuffer.isAtEnd {
                endTransaction(552, (5, 3, 4), "Message too large", into: &output)
            } else if message.sizeInOctets - limit > Self.swallowLimitInOctets {
                reply(421, (4, 3, 4), "Message far too large", into: &output)
                state = .closing
            }
            return wasTooLarge ? nil : .messageDropped
        }
        if message.unstuffer.isAtEnd, message.unstuffer.hasBareCR || message.unstuffer.hasBareLF {
            endTransaction(
                550, (5, 6, 0), "Bare CR or LF in the message, RFC 5321 2.3.8", into: &output)
            return .messageDropped
        }
        // The end comes with the next call.
        return piece.isEmpty ? nil : .messagePiece(piece)
    }

    /// The message is refused without a question.
    private mutating func endTransaction(
        _ code: Int, _ enhanced: (Int, Int, Int), _ text: String, into output: inout [UInt8]
    ) {
        for _ in 0..<answersToMessage { reply(code, enhanced, text, into: &output) }
        transaction = .none
        state = .command
    }
}
