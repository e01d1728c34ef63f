import MartletBytes
import MartletSMTPCore

/// What must hold for any octets a client may send.
package enum SMTPServerOracle {
    /// Traps where the server session breaks a promise.
    package static func check(_ input: [UInt8]) {
        let whole = run([input[...]])
        let place = input.count / 2
        precondition(run([input[..<place], input[place...]]) == whole, "a cut changes the session")
        if input.count <= 4_096 {
            precondition(run(input.indices.map { input[$0...$0] }) == whole, "many cuts change it")
        }
        var parser = SMTPReplyParser()
        parser.append(whole.said)
        do {
            while try parser.next() != nil {}
        } catch {
            preconditionFailure("what the server says is no reply: \(error)")
        }
        precondition(!parser.hasBufferedOctets, "a reply has no end")
        for message in whole.messages {
            precondition(!message.paths.isEmpty)
            precondition(message.paths.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            precondition(
                message.octets.isEmpty || message.octets.suffix(2) == [ASCII.cr, ASCII.lf],
                "a message does not end with its line")
            var previous: UInt8 = 0
            for octet in message.octets {
                precondition((octet == ASCII.lf) == (previous == ASCII.cr), "a bare line end")
                previous = octet
            }
        }
    }

    struct Outcome: Equatable {
        struct Message: Equatable {
            var paths: String
            var octets: [UInt8]
        }
        var said: [UInt8] = []
        var messages: [Message] = []
        var isClosed = false
    }

    private static func run(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
        guard var server = try? ServerScript() else { preconditionFailure("bad configuration") }
        var outcome = Outcome()
        for piece in pieces {
            outcome.said += server.receive(piece).utf8
            // A real shell does the handshake here; the octets after it are another stream.
            if server.wantsTLS { break }
        }
        outcome.messages = server.messages.map { message in
            Outcome.Message(
                paths: message.envelope.forwardPaths.map(\.description).joined(separator: " "),
                octets: message.octets)
        }
        outcome.isClosed = server.isClosed
        return outcome
    }
}
