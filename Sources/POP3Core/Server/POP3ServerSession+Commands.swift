import MartletBytes

// A line comes in: a command is answered at once, or becomes a question to the shell.
extension POP3ServerSession {
    mutating func take(_ line: Range<Int>, into output: inout [UInt8]) -> POP3ServerAction? {
        if case .challenged = state { return takeResponse(line, into: &output) }
        let command: POP3ServerCommand
        do {
            command = try lines.withOctets(line) { octets throws(POP3ServerCommand.Failure) in
                if octets.count + 2 > Self.lineLimitInOctets,
                    !octets.prefix(5).map(\.uppercased).elementsEqual("AUTH ".utf8)
                {
                    throw POP3ServerCommand.Failure(text: "Line too long")
                }
                return try POP3ServerCommand(octets)
            }
        } catch {
            mistake(error.text, into: &output)
            return nil
        }
        guard !configuration.asksBeforeCommands else {
            state = .asking(.command(command))
            return .command(command.verb)
        }
        return perform(command, into: &output)
    }

    mutating func perform(
        _ command: POP3ServerCommand, into output: inout [UInt8]
    ) -> POP3ServerAction? {
        switch command {
        case .capa: capabilities(into: &output)
        case .quit: return quit(into: &output)
        case .lang(let tag): language(tag, into: &output)
        case .stls, .user, .pass, .apop, .auth, .authList, .utf8:
            guard maildrop == nil else {
                mistake("Logged in already", into: &output)
                return nil
            }
            return takeBeforeLogin(command, into: &output)
        case .stat, .list, .uidl, .top, .retr, .dele, .rset, .noop:
            guard isAuthenticated else {
                mistake("Log in first", into: &output)
                return nil
            }
            return takeAfterLogin(command, into: &output)
        }
        return nil
    }

    // MARK: Before the login

    private mutating func takeBeforeLogin(
        _ command: POP3ServerCommand, into output: inout [UInt8]
    ) -> POP3ServerAction? {
        switch command {
        case .stls: return startTLS(into: &output)
        case .user(let name):
            guard offersUser else { return refuseLogin(into: &output) }
            user = name
            say(.ok("Send PASS"), into: &output)
        case .pass(let password):
            guard offersUser else { return refuseLogin(into: &output) }
            guard let name = user else {
                mistake("USER first", into: &output)
                return nil
            }
            user = nil
            state = .asking(.login)
            return .logIn(.password(user: name, password))
        case .apop(let name, let digest):
            guard let timestamp = configuration.timestamp else {
                mistake("APOP is not available", into: &output)
                return nil
            }
            state = .asking(.login)
            return .logIn(
                .digest(
                    user: name, POP3Digest(timestamp: Array(timestamp.utf8), claimed: digest)))
        case .auth(let mechanism, let initialResponse):
            guard !offeredMechanisms.isEmpty else { return refuseLogin(into: &output) }
            guard offeredMechanisms.contains(mechanism) else {
                mistake("Mechanism not available", into: &output)
                return nil
            }
            state = .asking(.login)
            return .authenticate(mechanism: mechanism, initialResponse: initialResponse)
        case .authList: list(offeredMechanisms, after: "Mechanisms", into: &output)
        case .utf8:
            guard configuration.offersUTF8 else {
                mistake("UTF8 is not available", into: &output)
                return nil
            }
            isUTF8 = true
            say(.ok("UTF8 enabled"), into: &output)
        default: break  // `take` has sorted them
        }
        return nil
    }

    private mutating func refuseLogin(into output: inout [UInt8]) -> POP3ServerAction? {
        mistake(
            isEncrypted || !configuration.offersSTLS
                ? "This login is not available" : "Encryption required: STLS first", into: &output)
        return nil
    }

    private mutating func startTLS(into output: inout [UInt8]) -> POP3ServerAction? {
        guard configuration.offersSTLS, !isEncrypted else {
            mistake(isEncrypted ? "TLS is active already" : "TLS is not available", into: &output)
            return nil
        }
        say(.ok("Begin TLS"), into: &output)
        state = .tlsHandshake
        lines.removeAll()
        return .startTLS
    }

    private mutating func takeResponse(
        _ line: Range<Int>, into output: inout [UInt8]
    ) -> POP3ServerAction {
        state = .command
        let (isCancel, response) = lines.withOctets(line) { octets in
            (octets.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))), Base64.secret(octets))
        }
        guard !isCancel, let response else {
            mistake(isCancel ? "Login given up" : "The response is not base64", into: &output)
            return .authenticationCancelled
        }
        state = .asking(.login)
        return .authenticationResponse(response)
    }

    // MARK: After the login

    private mutating func takeAfterLogin(
        _ command: POP3ServerCommand, into output: inout [UInt8]
    ) -> POP3ServerAction? {
        switch command {
        case .stat:
            say(
                .ok("\(maildrop?.messageCount ?? 0) \(maildrop?.sizeInOctets ?? 0)"),
                into: &output)
        case .list(nil), .uidl(nil):
            var givesIDs = false
            if case .uidl = command { givesIDs = true }
            say(.ok("\(maildrop?.messageCount ?? 0) messages"), into: &output)
            state = .listing(Listing(givesIDs: givesIDs))
        case .list(let number?):
            guard let entry = entry(number, into: &output) else { break }
            say(.ok("\(number) \(entry.sizeInOctets)"), into: &output)
        case .uidl(let number?):
            guard let entry = entry(number, into: &output) else { break }
            say(.ok("\(number) \(entry.uniqueID)"), into: &output)
        case .retr(let number):
            guard let entry = entry(number, into: &output) else { break }
            state = .asking(.message(Delivery(entry: entry)))
            return .retrieve(number: number, bodyLines: nil)
        case .top(let number, let lines):
            guard let entry = entry(number, into: &output) else { break }
            state = .asking(.message(Delivery(entry: entry, cut: HeaderCut(bodyLines: lines))))
            return .retrieve(number: number, bodyLines: lines)
        case .dele(let number):
            guard entry(number, into: &output) != nil else { break }
            maildrop?.mark(number)
            say(.ok("Marked for deletion"), into: &output)
        case .rset:
            maildrop?.unmarkAll()
            say(.ok("Nothing is marked"), into: &output)
        case .noop: say(.ok(), into: &output)
        default: break  // `take` has sorted them
        }
        return nil
    }

    private func entry(
        _ number: Int, into output: inout [UInt8]
    ) -> ServedMaildrop.Entry? {
        guard let entry = maildrop?.entry(number) else {
            // No mistake: a client may ask for what it has marked.
            say(.error(nil, "No such message"), into: &output)
            return nil
        }
        return entry
    }

    mutating func go(on listing: Listing, into output: inout [UInt8]) {
        var listing = listing
        guard let maildrop else { return state = .command }
        while listing.next <= maildrop.entries.count {
            guard output.count < Self.outputLimitInOctets else { return state = .listing(listing) }
            if let entry = maildrop.entry(listing.next) {
                let said = listing.givesIDs ? entry.uniqueID.text : "\(entry.sizeInOctets)"
                output.append(contentsOf: "\(listing.next) \(said)\r\n".utf8)
            }
            listing.next += 1
        }
        output.append(contentsOf: [ASCII.dot, ASCII.cr, ASCII.lf])
        state = .command
    }

    // MARK: At any time

    private mutating func quit(into output: inout [UInt8]) -> POP3ServerAction? {
        guard let maildrop else {
            say(.ok("Bye"), into: &output)
            state = .closing
            return nil
        }
        state = .asking(.commit)
        return .commit(deleting: maildrop.marked)
    }

    private mutating func language(_ tag: String?, into output: inout [UInt8]) {
        guard let first = configuration.languages.first else {
            return mistake("LANG is not available", into: &output)
        }
        guard let tag else {
            return list(
                configuration.languages.map { "\($0.tag) \($0.name)" },
                after: "Languages", into: &output)
        }
        let wanted = tag.utf8.map(\.lowercased)
        let known = configuration.languages.first { $0.tag.utf8.map(\.lowercased) == wanted }
        guard let language = tag == "*" ? first : known else {
            return mistake("Language not available", into: &output)
        }
        say(.ok("\(language.tag) \(language.name)"), into: &output)
    }

    private func capabilities(into output: inout [UInt8]) {
        var lines = ["TOP", "UIDL", "RESP-CODES", "AUTH-RESP-CODE"]
        if configuration.offersPipelining { lines.append("PIPELINING") }
        if let expiry = configuration.expiry { lines.append("EXPIRE \(expiry)") }
        if let delay = configuration.loginDelayInSeconds { lines.append("LOGIN-DELAY \(delay)") }
        if configuration.offersUTF8 { lines.append("UTF8 USER") }
        if !configuration.languages.isEmpty { lines.append("LANG") }
        if configuration.offersSTLS, !isEncrypted, maildrop == nil { lines.append("STLS") }
        if offersUser { lines.append("USER") }
        if !offeredMechanisms.isEmpty {
            lines.append("SASL " + offeredMechanisms.joined(separator: " "))
        }
        if let implementation = configuration.implementation {
            lines.append("IMPLEMENTATION \(implementation)")
        }
        if let change = configuration.changesOffer { lines = change(lines) }
        list(lines, after: "Capabilities", into: &output)
    }

    private func list(_ lines: [String], after text: String, into output: inout [UInt8]) {
        say(.ok(text), into: &output)
        for line in lines { output.append(contentsOf: "\(line)\r\n".utf8) }
        output.append(contentsOf: [ASCII.dot, ASCII.cr, ASCII.lf])
    }
}
