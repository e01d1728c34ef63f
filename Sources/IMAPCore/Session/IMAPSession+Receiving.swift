import MartletBytes

/// From octets to events.
extension IMAPSession {
    /// Takes octets as they were read. Then call `nextEvent()` until it gives `nil`.
    public mutating func receive(_ octets: [UInt8]) {
        switch phase {
        case .failed, .ended: return
        default: framer.append(octets)
        }
    }

    /// The next event, `nil` when more octets are needed.
    ///
    /// - Throws: what ended the connection; throws the same again when called again. All commands have failed with it.
    public mutating func nextEvent() throws(IMAPError) -> SessionEvent? {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            switch phase {
            case .failed(let error): throw error
            case .ended, .compressing: return nil
            case .tlsHandshake:
                if framer.hasBufferedOctets { throw fail(.injectedPlaintext) }
                return nil
            case .greeting, .open: break
            }
            guard let piece = try nextPiece() else { return nil }
            try take(piece)
        }
    }

    private mutating func nextPiece() throws(IMAPError) -> FramedPiece? {
        do {
            return try framer.next()
        } catch {
            throw fail(.protocolViolation(error.description))
        }
    }

    private mutating func take(_ piece: FramedPiece) throws(IMAPError) {
        switch piece {
        case .response(let frame):
            if tracesFrames { events.append(.received(frame)) }
            try take(parser.parse(frame), frame)
        case .literalBegins(let literal):
            literalOwner = nil
            for index in running.indices where running[index].collector.claims(literal) {
                literalOwner = running[index].id
                break
            }
        case .literalOctets(let octets):
            guard let index = running.firstIndex(where: { $0.id == literalOwner }) else { return }
            running[index].collector.receiveLiteral(octets)
            grew(running[index].id)
        case .literalEnds:
            if let index = running.firstIndex(where: { $0.id == literalOwner }) {
                running[index].collector.endLiteral()
                grew(running[index].id)
            }
            literalOwner = nil
        }
    }

    private mutating func take(_ response: IMAPResponse, _ frame: ResponseFrame) throws(IMAPError) {
        if case .greeting = phase { return try takeGreeting(response, frame) }
        switch response {
        case .tagged(let end): try complete(end)
        case .continuation(let request): takeContinuation(request)
        default: takeUntagged(response)
        }
    }

    private mutating func takeGreeting(
        _ response: IMAPResponse, _ frame: ResponseFrame
    ) throws(IMAPError) {
        guard case .condition(let greeting) = response else {
            let words = String(
                decoding: frame.octets.prefix(60).map { $0.isControl ? 0x3F : $0 }, as: UTF8.self)
            throw fail(.protocolViolation("greeted with something that is not IMAP: \"\(words)\""))
        }
        note(greeting.text.code)
        switch greeting.kind {
        case .ok: phase = .open
        case .preauth:
            phase = .open
            isAuthenticated = true
        case .bye: throw fail(.serviceClosing(greeting.text))
        case .no, .bad: throw fail(.serviceClosing(greeting.text))
        }
        events.append(.greeting(greeting))
        admit()
    }

    private mutating func takeContinuation(_ request: ContinuationRequest) {
        if output.waitingCommand != nil { return output.continueWriting() }
        guard let first = running.first else {
            return events.append(.mailbox(.other(.continuation(request))))
        }
        switch first.command.effect {
        case .authenticate: events.append(.challenge(first.id, request.octets))
        case .idle:
            if case .asked(let endsAtOnce) = idle {
                idle = .active
                events.append(.idling(first.id))
                if endsAtOnce { endIdle() }
            }
        // QUIRK(needless-continuation): servers say `+` for literals that did not wait.
        default: events.append(.mailbox(.other(.continuation(request))))
        }
    }

    // MARK: The end of a command

    private mutating func complete(_ end: TaggedResponse) throws(IMAPError) {
        guard let index = running.firstIndex(where: { $0.tag == end.tag }) else {
            // QUIRK(idle-ended-by-server): DONE crossed the end of IDLE, and was taken for a command.
            if end.tag.utf8.equalsIgnoringCase("DONE".utf8) { return }
            throw fail(.protocolViolation("answered \"\(end.tag)\", which nothing asked"))
        }
        if end.condition == .ok, output.holdsMessage(of: running[index].id) {
            throw fail(.protocolViolation("said that it is done before all of it was sent"))
        }
        let entry = running.remove(at: index)
        output.drop(entry.id)
        let startsTLS = entry.command.effect == .startTLS && end.condition == .ok
        // What is said in the clear about what comes after it counts for nothing.
        if !startsTLS { note(end.text.code) }
        apply(entry.command.effect, succeeded: end.condition == .ok)
        if !entry.isAbandoned {
            events.append(.completed(entry.id, entry.collector, end))
        }
        if case .open = phase { admit() }
    }

    private mutating func apply(_ effect: CommandEffect, succeeded: Bool) {
        switch effect {
        case .none: break
        case .startTLS where succeeded:
            phase = .tlsHandshake
            forgetPlaintext()
            events.append(.tlsStarts)
        case .authenticate where succeeded: isAuthenticated = true
        case .idle: idle = nil
        case .compress where succeeded:
            phase = .compressing
            events.append(.compressionStarts(framer.takeBufferedOctets()))
        case .select where !succeeded: mailbox = nil
        case .deselect where succeeded: mailbox = nil
        case .logout: phase = .ended
        case .unauthenticate where succeeded:
            isAuthenticated = false
            mailbox = nil
            enabled = []
            parser.isUTF8 = false
        case .authenticate, .startTLS, .unauthenticate:
            capabilitiesAreCurrent = !capabilities.isEmpty
        default: break
        }
    }

    /// Whatever was said in the clear may have been said by anybody. RFC 9051 §6.2.1.
    private mutating func forgetPlaintext() {
        capabilities = Capabilities()
        capabilitiesAreCurrent = false
        enabled = []
        parser.isUTF8 = false
        bye = nil
        mailbox = nil
    }

    /// The TLS handshake is done.
    public mutating func tlsStarted() {
        isEncrypted = true
        phase = .open
        admit()
    }

    /// What comes is inflated from now on.
    public mutating func compressionStarted() {
        isCompressed = true
        phase = .open
        admit()
    }

    // MARK: The end of the connection

    /// The peer has closed. Returns why that is an error, `nil` after LOGOUT.
    public mutating func peerClosed() -> IMAPError? {
        switch phase {
        case .ended: return nil
        case .failed(let error): return error
        default: break
        }
        if let bye, running.contains(where: { $0.command.effect == .logout }) {
            // QUIRK(close-after-bye): without an answer to LOGOUT.
            let entry = running.first { $0.command.effect == .logout }
            phase = .ended
            if let entry {
                let end = TaggedResponse(tag: entry.tag, condition: .ok, text: bye)
                events.append(.completed(entry.id, entry.collector, end))
            }
            return nil
        }
        return fail(bye.map { .serviceClosing($0) } ?? .unexpectedClose)
    }

    /// A deadline has passed. A server that announced more octets than it sent may still have answered: then the answer
    /// is found, and `nil` returned.
    public mutating func deadlinePassed() -> IMAPError? {
        if framer.isInLiteral, framer.recoverShortLiteral() { return nil }
        return fail(bye.map { .serviceClosing($0) } ?? .timeout)
    }

    /// The caller cancelled what was under way.
    public mutating func cancelled() -> IMAPError { fail(.cancelled) }

    /// The connection failed below IMAP.
    public mutating func transportFailed(_ error: any Error) -> IMAPError {
        var failure = IMAPError(
            kind: bye.map { .serviceClosing($0) } ?? .transport, command: activity,
            underlying: error)
        if case .failed(let earlier) = phase { failure = earlier }
        phase = .failed(failure)
        return failure
    }

    mutating func fail(_ kind: IMAPError.Kind) -> IMAPError {
        if case .failed(let earlier) = phase { return earlier }
        let error = IMAPError(kind: kind, command: activity)
        phase = .failed(error)
        return error
    }
}
