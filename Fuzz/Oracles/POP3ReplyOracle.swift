import MartletBytes
import MartletPOP3Core
import MartletSASL

/// What must hold for any octets a POP3 server may send.
package enum POP3ReplyOracle {
    /// Traps where the client's session breaks a promise.
    package static func check(_ input: [UInt8]) {
        let whole = run([input[...]])
        let place = input.count / 2
        precondition(run([input[..<place], input[place...]]) == whole, "a cut changes the session")
        if input.count <= 4_096 {
            precondition(run(input.indices.map { input[$0...$0] }) == whole, "many cuts change it")
        }
        for line in whole.said {
            precondition(!line.utf8.contains { $0 < 0x20 && $0 != ASCII.tab }, "an unsafe sentence")
        }
        checkValues(input)
    }

    struct Outcome: Equatable {
        /// Replies and errors, as people read them.
        var said: [String] = []
        /// What the replies meant.
        var listed: [[MaildropMessage]] = []
        var message: [UInt8] = []
        var messagesEnded = 0
    }

    /// A session in which everything was asked for before anything is answered.
    private static func run(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
        var session = POP3Session()
        var output = POP3Encoder()
        var outcome = Outcome()
        do throws(POP3Error) {
            session.receive(Array("+OK hello\r\n".utf8))
            _ = try session.nextEvent()
            try session.submit(POP3.Capa(), into: &output)
            session.receive(Array("+OK\r\nPIPELINING\r\n.\r\n".utf8))
            _ = try session.nextEvent()
            try session.submit(POP3.Stat(), into: &output)
            try session.submit(POP3.List(), into: &output)
            try session.submit(POP3.Uidl(), into: &output)
            try session.submit(POP3.Retr(1), into: &output)
            try session.submit(POP3.Dele(1), into: &output)
            try session.submit(POP3.Top(2), into: &output)
            try session.submit(POP3.Capa(), into: &output)
            try session.submit(POP3.Quit(), into: &output)
            for piece in pieces {
                session.receive([UInt8](piece))
                try take(&session, into: &outcome)
            }
            if let error = session.peerClosed() { throw error }
        } catch {
            precondition(session.isOver && error.endsConnection, "an error that ends nothing")
            outcome.said.append(error.description)
        }
        precondition(session.pendingReplyCount <= 8)
        return outcome
    }

    private static func take(
        _ session: inout POP3Session, into outcome: inout Outcome
    ) throws(POP3Error) {
        while let event = try session.nextEvent() {
            switch event {
            case .reply(let reply):
                outcome.said.append(reply.description)
                outcome.listed.append((try? POP3.List().interpret(reply)) ?? [])
                outcome.listed.append((try? POP3.Uidl().interpret(reply)) ?? [])
                for message in outcome.listed.joined() {
                    precondition(message.number > 0 && message.sizeInOctets ?? 0 >= 0)
                }
                _ = try? POP3.Stat().interpret(reply)
                _ = POP3Capabilities(reply)
                _ = reply.loginRefusal
            case .octets(let octets):
                precondition(!octets.isEmpty)
                outcome.message += octets
            case .messageEnds: outcome.messagesEnded += 1
            }
        }
    }

    /// The same octets as other things that are read.
    private static func checkValues(_ input: [UInt8]) {
        let greeting = POP3Greeting(POP3Reply(.ok, octets: input))
        if let stamp = greeting.timestamp {
            precondition(stamp.first == ASCII.less && stamp.last == ASCII.greater)
        }
        var cut = HeaderCut(bodyLines: 2)
        let kept = cut.take(input)
        precondition(cut.isDone || kept.count == input.count)
        _ = UniqueID(substituteForHeader: input)
        if let seen = try? SeenMessages(file: input) {
            precondition(seen.file == input, "a file does not survive")
        }
        let salvaged = SeenMessages(salvaging: input)
        precondition((try? SeenMessages(file: salvaged.file)) == salvaged)
    }
}
