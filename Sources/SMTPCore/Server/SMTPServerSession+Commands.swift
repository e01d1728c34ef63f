import MartletBytes
import MartletSASL

// A line comes in: a command is answered at once, or becomes a question to the shell.
extension SMTPServerSession {
    mutating func take(
        _ line: Range<Int>, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        if case .challenged = state { return takeResponse(line, into: &output) }
        let command: SMTPServerCommand
        do {
            command = try lines.withOctets(line) { octets throws(SMTPServerCommand.Failure) in
                if octets.count + 2 > Self.lineLimitInOctets,
                    !octets.prefix(5).map(\.uppercased).elementsEqual("AUTH ".utf8)
                {
                    throw SMTPServerCommand.Failure(
                        code: 500, enhanced: (5, 5, 2), text: "Line too long")
                }
                return try SMTPServerCommand(octets, extensions: offered)
            }
        } catch {
            mistake(error.code, error.enhanced, error.text, into: &output)
            return nil
        }
        guard !configuration.asksBeforeCommands else {
            state = .asking(.command(command))
            return .command(command.verb)
        }
        return perform(command, into: &output)
    }

    mutating func perform(
        _ command: SMTPServerCommand, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        switch command {
        case .ehlo(let name) where !configuration.isLMTP:
            greet(name, isExtended: true, into: &output)
        case .helo(let name) where !configuration.isLMTP:
            greet(name, isExtended: false, into: &output)
        case .lhlo(let name) where configuration.isLMTP:
            greet(name, isExtended: true, into: &output)
        case .ehlo, .helo: mistake(500, (5, 5, 1), "This is LMTP: say LHLO", into: &output)
        case .lhlo: mistake(500, (5, 5, 1), "This is SMTP: say EHLO", into: &output)
        case .startTLS: return startTLS(into: &output)
        case .auth(let mechanism, let initialResponse):
            return authenticate(mechanism, initialResponse, into: &output)
        case .mail(let path, let parameters): return mail(path, parameters, into: &output)
        case .rcpt(let path): return rcpt(path, into: &output)
        case .data: return data(into: &output)
        case .reset:
            transaction = .none
            reply(250, (2, 0, 0), "Ok", into: &output)
        case .noop: reply(250, (2, 0, 0), "Ok", into: &output)
        case .verify:
            reply(252, (2, 5, 0), "Cannot say, but will take mail for it", into: &output)
        case .help:
            reply(
                214, (2, 0, 0), "EHLO HELO STARTTLS AUTH MAIL RCPT DATA RSET NOOP QUIT VRFY HELP",
                into: &output)
        case .quit:
            reply(221, (2, 0, 0), "Bye", into: &output)
            state = .closing
        }
        return nil
    }

    mutating func takeResponse(
        _ line: Range<Int>, into output: inout [UInt8]
    ) -> SMTPServerAction {
        state = .command
        let (isCancel, response) = lines.withOctets(line) { octets in
            (
                octets.elementsEqual(CollectionOfOne(0x2A)),
                SMTPServerCommand.secret(base64: octets)
            )
        }
        guard !isCancel, let response else {
            let text = isCancel ? "Login given up" : "The response is not base64"
            mistake(501, isCancel ? (5, 7, 0) : (5, 5, 2), text, into: &output)
            return .authenticationCancelled
        }
        state = .asking(.authentication)
        return .authenticationResponse(response)
    }

    /// Those of the configuration that can be done in this connection.
    package var offeredMechanisms: [String] {
        configuration.mechanisms.filter {
            SASLServerMechanisms.canOffer($0, isEncrypted: isEncrypted)
        }
    }

    var offersAuthentication: Bool {
        !offeredMechanisms.isEmpty
            && (isEncrypted || configuration.allowsPlaintextAuthentication)
    }

    mutating func updateOffered() {
        offered = configuration.extensions
        offered.insert(.size)
        if offersAuthentication { offered.insert(.auth) }
    }

    mutating func greet(
        _ name: String, isExtended: Bool, into output: inout [UInt8]
    ) {
        clientName = name
        transaction = .none
        var lines: [String] = []
        if isExtended {
            lines += configuration.extensions.subtracting([.size, .startTLS, .auth]).map(\.keyword)
                .sorted()
            lines.append("SIZE \(configuration.maximumSizeInOctets)")
            if configuration.offersStartTLS, !isEncrypted { lines.append("STARTTLS") }
            if offersAuthentication {
                lines.append("AUTH " + offeredMechanisms.joined(separator: " "))
            }
            if let change = configuration.changesOffer { lines = change(lines) }
        }
        lines.insert("\(configuration.hostName)", at: 0)
        SMTPReply(code: 250, lines: lines.map { Array($0.utf8) }).encode(into: &output)
    }

    mutating func startTLS(into output: inout [UInt8]) -> SMTPServerAction? {
        guard configuration.offersStartTLS else {
            mistake(502, (5, 5, 1), "TLS is not available", into: &output)
            return nil
        }
        guard !isEncrypted else {
            mistake(503, (5, 5, 1), "TLS is active already", into: &output)
            return nil
        }
        reply(220, (2, 0, 0), "Ready to start TLS", into: &output)
        state = .tlsHandshake
        lines.removeAll()
        return .startTLS
    }

    mutating func authenticate(
        _ mechanism: String, _ initialResponse: Secret?, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        guard clientName != nil else { return outOfOrder("EHLO first", into: &output) }
        guard !isAuthenticated else { return outOfOrder("Logged in already", into: &output) }
        guard case .none = transaction else {
            return outOfOrder("Not within a mail transaction", into: &output)
        }
        guard !configuration.mechanisms.isEmpty else {
            mistake(502, (5, 5, 1), "Login is not available", into: &output)
            return nil
        }
        guard offersAuthentication else {
            mistake(538, (5, 7, 11), "Encryption required: STARTTLS first", into: &output)
            return nil
        }
        guard offeredMechanisms.contains(mechanism) else {
            mistake(504, (5, 5, 4), "Mechanism not available", into: &output)
            return nil
        }
        state = .asking(.authentication)
        return .authenticate(mechanism: mechanism, initialResponse: initialResponse)
    }

    mutating func mail(
        _ path: ReversePath, _ parameters: SMTPServerCommand.MailParameters,
        into output: inout [UInt8]
    ) -> SMTPServerAction? {
        guard clientName != nil else { return outOfOrder("EHLO first", into: &output) }
        guard isAuthenticated || !configuration.requiresAuthentication else {
            mistake(530, (5, 7, 0), "Authentication required", into: &output)
            return nil
        }
        guard case .none = transaction else { return outOfOrder("Nested MAIL", into: &output) }
        if let size = parameters.sizeInOctets, size > configuration.maximumSizeInOctets {
            reply(552, (5, 3, 4), "Message too large", into: &output)
            return nil
        }
        state = .asking(.sender(path, usesSMTPUTF8: parameters.usesSMTPUTF8))
        return .sender(path)
    }

    mutating func rcpt(
        _ path: ForwardPath, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        guard case .open(let envelope, let usesSMTPUTF8) = transaction else {
            return outOfOrder("MAIL first", into: &output)
        }
        guard envelope.forwardPaths.count < Self.recipientLimit else {
            reply(452, (4, 5, 3), "Too many recipients", into: &output)
            return nil
        }
        guard usesSMTPUTF8 || !path.needsSMTPUTF8 else {
            let failure = SMTPServerCommand.needsSMTPUTF8
            mistake(failure.code, failure.enhanced, failure.text, into: &output)
            return nil
        }
        state = .asking(.recipient(path))
        return .recipient(path)
    }

    mutating func data(into output: inout [UInt8]) -> SMTPServerAction? {
        guard case .open(let envelope, _) = transaction, !envelope.forwardPaths.isEmpty else {
            return outOfOrder("RCPT first", into: &output)
        }
        SMTPReply(354, nil, "End data with <CR><LF>.<CR><LF>").encode(into: &output)
        state = .message(Message())
        return .messageBegins(envelope)
    }
}
