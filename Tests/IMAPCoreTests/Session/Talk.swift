import MartletBytes

@testable import MartletIMAPCore

/// A session and a server whose part the test speaks.
struct Talk {
    var session: IMAPSession
    /// What happened, in short words.
    var events: [String] = []
    /// The commands' numbers by the order in which they were submitted.
    var ids: [CommandID] = []
    /// What ended the connection.
    var error: IMAPError?
    /// How many octets the session gets at once.
    var step = Int.max
    /// What the commands gathered that ended, by their place in `ids`.
    var ends: [Int: (collector: any ResponseCollector, end: TaggedResponse)] = [:]

    init(_ session: IMAPSession = IMAPSession()) { self.session = session }

    /// A session that is logged in at a server with these capabilities, and has a mailbox selected.
    static func selected(
        _ capabilities: String = "IMAP4rev1 IDLE UIDPLUS", mailbox: String? = "box",
        step: Int = .max
    ) -> Talk {
        var talk = Talk()
        talk.step = step
        talk.server("* PREAUTH [CAPABILITY \(capabilities)] hello")
        if let mailbox, let name = try? MailboxName(mailbox) {
            talk.submit(SelectOnly(mailbox: name))
            _ = talk.written()
            talk.server("* 3 EXISTS", "* OK [UIDVALIDITY 7] v", "M1 OK [READ-WRITE] done")
        }
        talk.events = []
        return talk
    }

    @discardableResult
    mutating func submit(_ command: some IMAPCommand) -> CommandID {
        let id = session.submit(command)
        ids.append(id)
        drain()
        return id
    }

    /// The server says lines.
    mutating func server(_ lines: String...) {
        server(octets: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
    }

    mutating func server(octets: [UInt8]) {
        var start = 0
        while start < octets.count {
            let end = step < octets.count - start ? start + step : octets.count
            session.receive(Array(octets[start..<end]))
            drain()
            start = end
        }
    }

    mutating func drain() {
        do throws(IMAPError) {
            while let event = try session.nextEvent() {
                if case .completed(let id, let collector, let end) = event,
                    let index = ids.firstIndex(of: id)
                {
                    ends[index] = (collector, end)
                }
                events.append(word(event))
            }
        } catch {
            self.error = error
        }
    }

    /// What a command gave; `nil` if it has not ended, or not well.
    func output<Command: IMAPCommand>(
        _ index: Int, of _: Command.Type
    ) -> Command.Collector.Output? {
        guard let (collector, end) = ends[index], end.condition == .ok,
            let collector = collector as? Command.Collector
        else { return nil }
        return try? collector.finish(end.text)
    }

    /// What the session wrote, sources as `<n>`.
    mutating func written() -> String {
        var text = ""
        while let output = session.nextOutput() {
            switch output {
            case .octets(let octets, _): text += String(decoding: octets, as: UTF8.self)
            case .source(let source, _): text += "<\(source.sizeInOctets)>"
            }
        }
        return text.replacing("\r\n", with: "|")
    }

    private func word(_ event: SessionEvent) -> String {
        switch event {
        case .greeting(let greeting): "greeting \(greeting.kind.rawValue)"
        case .completed(let id, _, let end): "\(name(id)) \(end.condition.rawValue)"
        case .failed(let id, let error):
            "\(name(id)) failed \(String("\(error.kind)".prefix { $0 != "(" }))"
        case .challenge(let id, let octets):
            "\(name(id)) challenge \(String(decoding: octets, as: UTF8.self))"
        case .idling(let id): "\(name(id)) idling"
        case .mailbox(let event): word(event)
        case .tlsStarts: "tls"
        case .compressionStarts(let octets): "compression \(octets.count)"
        case .closing(let text): "closing \(text.words)"
        case .received: "received"
        }
    }

    private func word(_ event: MailboxEvent) -> String {
        switch event {
        case .exists(let count): "exists \(count)"
        case .expunged(let number, let uid): "expunged \(number) \(uid.map { "\($0)" } ?? "?")"
        case .vanished(let set): "vanished \(set)"
        case .numbersLost: "lost"
        case .changed(let row):
            "changed \(row.number.map { "\($0)" } ?? "-") \(row.uid.map { "\($0)" } ?? "?")"
        case .alert(let words): "alert \(words)"
        case .status(let name, _): "status \(name)"
        default: String("\(event)".prefix { $0 != "(" })
        }
    }

    private func name(_ id: CommandID) -> String {
        ids.firstIndex(of: id).map { "#\($0)" } ?? "#?"
    }
}

/// SELECT without the rest of it.
struct SelectOnly: IMAPCommand {
    var mailbox: MailboxName
    var name: String { "SELECT" }
    var order: CommandOrder { .exclusive }
    var effect: CommandEffect { .select(mailbox) }
    func encode(into encoder: inout CommandEncoder) {
        encoder.text("SELECT ")
        encoder.mailbox(mailbox)
    }
    func makeCollector() -> NoResponses { NoResponses() }
}

/// A command of words, for the session's rules.
struct Words: IMAPCommand {
    var name: String
    var order: CommandOrder = []
    var scope: CommandScope = .selected
    var literal: [UInt8]?
    func encode(into encoder: inout CommandEncoder) {
        encoder.raw(name.utf8)
        if let literal {
            encoder.space()
            encoder.literal(literal)
        }
    }
    func makeCollector() -> NoResponses { NoResponses() }

    /// As FETCH is.
    static let byNumber = Words(
        name: "FETCH 1 FLAGS", order: [.usesSequenceNumbers, .keepsSequenceNumbers])
    static let byUID = Words(name: "UID FETCH 1 FLAGS")
}
