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
                endTransaction()
                reply(552, (5, 3, 4), "Message too large", into: &output)
            } else if message.sizeInOctets - limit > Self.swallowLimitInOctets {
                reply(421, (4, 3, 4), "Message far too large", into: &output)
                state = .closing
            }
            return wasTooLarge ? nil : .messageDropped
        }
        if message.unstuffer.isAtEnd, message.unstuffer.hasBareCR || message.unstuffer.hasBareLF {
            endTransaction()
            reply(550, (5, 6, 0), "Bare CR or LF in the message, RFC 5321 2.3.8", into: &output)
            return .messageDropped
        }
        // The end comes with the next call.
        return piece.isEmpty ? nil : .messagePiece(piece)
    }

    mutating func endTransaction() {
        transaction = .none
        state = .command
    }
}
