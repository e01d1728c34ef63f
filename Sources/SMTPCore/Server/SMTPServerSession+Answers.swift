import MartletBytes
import MartletMIME

// The shell answers; mistakes are counted.
extension SMTPServerSession {
    /// Answers the last action that asks for an answer. Without one owed it does nothing.
    public mutating func answer(_ answer: SMTPServerAnswer, into output: inout [UInt8]) {
        guard case .asking(let question) = state else { return }
        state = .command
        switch (question, answer) {
        case (.command(let command), .accept): state = .allowed(command)
        case (.authentication, .challenge(let challenge)):
            var text: [UInt8] = []
            challenge.withUnsafeBufferPointer { Base64.append($0, to: &text) }
            SMTPReply(code: 334, lines: [text]).encode(into: &output)
            state = .challenged
        case (.authentication, .accept(let words)):
            isAuthenticated = true
            say(words, 235, (2, 7, 0), "Authentication successful", into: &output)
        case (.sender(let path, let usesSMTPUTF8), .accept(let words)):
            transaction = .open(
                DeliveryEnvelope(reversePath: path, forwardPaths: []), usesSMTPUTF8: usesSMTPUTF8)
            say(words, 250, (2, 1, 0), "Ok", into: &output)
        case (.recipient(let path), .accept(let words)):
            if case .open(var envelope, let usesSMTPUTF8) = transaction {
                transaction = .none  // so that the array is not copied
                envelope.forwardPaths.append(path)
                transaction = .open(envelope, usesSMTPUTF8: usesSMTPUTF8)
            }
            say(words, 250, (2, 1, 5), "Ok", into: &output)
        case (.message, .accept(let words)):
            for _ in 0..<answersToMessage {
                say(words, 250, (2, 0, 0), "Ok", into: &output)
            }
            transaction = .none
        case (.message, .refuse(let words)):
            for _ in 0..<answersToMessage { words.encode(into: &output) }
            transaction = .none
        case (.message, .each(let replies)):
            for place in 0..<answersToMessage {
                say(
                    replies.indices.contains(place) ? replies[place] : replies.last, 250, (2, 0, 0),
                    "Ok", into: &output)
            }
            transaction = .none
        case (let question, .refuse(let words)):
            if case .authentication = question { mistakes += 1 }
            words.encode(into: &output)
            checkMistakes(into: &output)
        case (_, .challenge), (_, .each):
            // An answer to another question: nothing can be meant by it than no.
            if case .message = question { transaction = .none }
            reply(451, (4, 3, 0), "Local error", into: &output)
        }
    }

    /// LMTP answers for each recipient. RFC 2033 §4.2.
    var answersToMessage: Int {
        guard configuration.isLMTP, case .open(let envelope, _) = transaction else { return 1 }
        return envelope.forwardPaths.count
    }

    func say(
        _ words: SMTPReply?, _ code: Int, _ enhanced: (Int, Int, Int), _ text: String,
        into output: inout [UInt8]
    ) {
        if let words {
            words.encode(into: &output)
        } else {
            reply(code, enhanced, text, into: &output)
        }
    }

    func reply(
        _ code: Int, _ enhanced: (Int, Int, Int), _ text: String, into output: inout [UInt8]
    ) {
        let isEnhanced = configuration.extensions.contains(.enhancedStatusCodes)
        let status = EnhancedStatusCode(enhanced.0, enhanced.1, enhanced.2)
        SMTPReply(code, isEnhanced ? status : nil, text).encode(into: &output)
    }

    mutating func outOfOrder(
        _ text: String, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        mistake(503, (5, 5, 1), text, into: &output)
        return nil
    }

    mutating func mistake(
        _ code: Int, _ enhanced: (Int, Int, Int), _ text: String, into output: inout [UInt8]
    ) {
        mistakes += 1
        reply(code, enhanced, text, into: &output)
        checkMistakes(into: &output)
    }

    mutating func checkMistakes(into output: inout [UInt8]) {
        guard mistakes > Self.mistakeLimit else { return }
        reply(421, (4, 7, 0), "Too many mistakes", into: &output)
        state = .closing
    }
}
