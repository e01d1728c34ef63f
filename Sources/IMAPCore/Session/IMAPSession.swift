import MartletBytes

/// The client's side of one connection, without the connection. RFC 9051 §3, §5.5.
///
/// It knows which answer belongs to which command, what may be sent when, and what is known of the mailbox that is
/// selected. Commands are pipelined as far as their answers cannot be mistaken for another's.
///
///     var session = IMAPSession()
///     let id = session.submit(Noop())
///     while let output = session.nextOutput() { … }            // write it
///
///     session.receive(octetsRead)                               // at the end: session.peerClosed()
///     while let event = try session.nextEvent() { … }           // throws once and for all: close
public struct IMAPSession: Sendable {
    /// What may come next.
    enum Phase: Sendable {
        /// The greeting. → open, failed
        case greeting
        /// Commands and answers. → tlsHandshake, compressing, ended, failed
        case open
        /// Not one plain octet may come. → open (`tlsStarted`), failed
        case tlsHandshake
        /// What comes is compressed, and nobody inflates it yet. → open (`compressionStarted`)
        case compressing
        /// The connection was ended by LOGOUT.
        case ended
        /// Over, for this reason.
        indirect case failed(IMAPError)
    }

    /// Whether the client is logged in, and whether a mailbox is selected. RFC 9051 §3.
    public enum State: Hashable, Sendable {
        /// Not logged in.
        case notAuthenticated
        /// Logged in, no mailbox selected.
        case authenticated
        /// A mailbox is selected.
        case selected
    }

    struct Entry: Sendable {
        let id: CommandID
        var tag = ""
        let command: any IMAPCommand
        var collector: any ResponseCollector
        /// Nobody waits for its answer any more.
        var isAbandoned = false
    }

    enum IdleState: Sendable {
        /// IDLE was sent and not answered; `endsAtOnce`: DONE follows as soon as it is.
        case asked(endsAtOnce: Bool)
        /// The server tells of changes.
        case active
        /// DONE was sent.
        case ending
    }

    var phase = Phase.greeting
    /// What the client's tags begin with, before their digits.
    public static let tagPrefix = "M"

    var framer: ResponseFramer
    var parser: ResponseParser
    // Commands that may not be sent yet, oldest first.
    var waiting: [Entry] = []
    // Commands that were sent, or are being sent, oldest first.
    var running: [Entry] = []
    var output = OutputQueue()
    var events: [SessionEvent] = []
    var lastNumber: UInt64 = 0
    var idle: IdleState?
    var literalOwner: CommandID?
    var bye: ResponseText?
    // Commands whose collectors took something since the shell looked.
    var grown: [CommandID] = []

    /// What the server offers; empty until it said so, and again once TLS has started. RFC 9051 §6.2.1.
    public internal(set) var capabilities = Capabilities()
    /// Whether `capabilities` are those of now: a login or TLS may have changed them without a word.
    public internal(set) var capabilitiesAreCurrent = false
    /// What was switched on with ENABLE.
    public internal(set) var enabled: Set<Capability> = []
    /// Whether what is sent goes through TLS.
    public internal(set) var isEncrypted: Bool
    /// Whether what is sent is compressed.
    public internal(set) var isCompressed = false
    /// Whether the client is logged in.
    public internal(set) var isAuthenticated = false
    /// The mailbox that is selected, or is being selected.
    public internal(set) var mailbox: SelectedMailbox?
    /// How literals may be sent; `nil`: as the server offers. For servers that offer what they cannot do.
    public var literalSupport: LiteralSupport?
    /// Capabilities that are not used though the server offers them.
    public var distrusted: Set<Capability> = []
    /// Whether `received` events are given.
    public var tracesFrames = false
    /// How many commands may be under way at once. More wait.
    public static let pipelineLimit = 64

    /// Makes a session that waits for the greeting.
    ///
    /// - Parameters:
    ///   - isEncrypted: whether TLS was started before IMAP (implicit TLS).
    ///   - limits: how much is taken from the server.
    public init(isEncrypted: Bool = false, limits: IMAPLimits = .standard) {
        self.isEncrypted = isEncrypted
        framer = ResponseFramer(limits: limits, tagPrefix: Self.tagPrefix)
        parser = ResponseParser(limits: limits)
    }

    // MARK: What a shell may ask

    /// Whether the client is logged in, and whether a mailbox is selected.
    public var state: State {
        isAuthenticated ? (mailbox == nil ? .authenticated : .selected) : .notAuthenticated
    }

    /// Whether an answer is still to come.
    public var isBusy: Bool { !running.isEmpty || !waiting.isEmpty }

    /// Whether the connection is over.
    public var isOver: Bool {
        switch phase {
        case .ended, .failed: true
        default: false
        }
    }

    /// Whether the server has said goodbye.
    public var isClosing: Bool { bye != nil }

    /// The name of the oldest command whose answer is still to come.
    public var activity: String? {
        if case .greeting = phase { return "the greeting" }
        return running.first?.command.name
    }

    /// Whether IDLE is under way and nobody has asked to end it.
    public var isIdling: Bool {
        switch idle {
        case .active, .asked(endsAtOnce: false): true
        default: false
        }
    }

    // MARK: Commands

    /// Takes a command, to be sent as soon as its answers could not be mistaken for another's. IDLE is ended for it.
    ///
    /// - Returns: its number; `completed` or `failed` will tell its end.
    public mutating func submit(_ command: some IMAPCommand) -> CommandID {
        lastNumber += 1
        let id = CommandID(number: lastNumber)
        waiting.append(Entry(id: id, command: command, collector: command.makeCollector()))
        endIdle()
        admit()
        return id
    }

    /// What becomes of a command that nobody waits for any more.
    public enum Abandonment: Hashable, Sendable {
        /// It was never sent.
        case neverSent
        /// Its answer still comes, and is thrown away.
        case inStep
        /// A part of it is still to be written: the connection has to be closed.
        case mustClose
    }

    /// Nobody waits for a command any more.
    public mutating func abandon(_ id: CommandID) -> Abandonment {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index)
            admit()
            return .neverSent
        }
        guard let index = running.firstIndex(where: { $0.id == id }) else { return .inStep }
        running[index].isAbandoned = true
        running[index].collector = NoResponses()
        switch running[index].command.effect {
        case .none, .select, .deselect, .logout: break
        case .idle: endIdle()
        case .startTLS, .authenticate, .compress, .unauthenticate: return .mustClose
        }
        return output.holds(id) ? .mustClose : .inStep
    }

    /// Whether a command went out whole, has no answer, and changes something that doing it twice would change again.
    public func mayHaveDone(_ id: CommandID) -> Bool {
        guard let entry = running.first(where: { $0.id == id }) else { return false }
        return !output.holds(id) && !entry.command.isRepeatable
    }

    /// The commands that gathered something since this was asked last.
    public mutating func takeGrown() -> [CommandID] {
        defer { grown.removeAll(keepingCapacity: true) }
        return grown
    }

    /// What a command gathered so far, for shells that hand it on while it grows.
    public mutating func withCollector<Collector: ResponseCollector, Result>(
        of id: CommandID, _: Collector.Type, _ body: (inout Collector) -> Result
    ) -> Result? {
        guard let index = running.firstIndex(where: { $0.id == id }),
            var collector = running[index].collector as? Collector
        else { return nil }
        running[index].collector = NoResponses()  // else there were two, and a copy
        let result = body(&collector)
        running[index].collector = collector
        return result
    }

    /// Answers a login's challenge: base64, without a line end. `nil` gives the login up.
    public mutating func respond(_ response: Secret?, to id: CommandID) {
        guard running.contains(where: { $0.id == id }) else { return }
        var octets: [UInt8] = []
        if let response {
            response.withOctets { octets.append(contentsOf: $0) }
        } else {
            octets.append(UInt8(ascii: "*"))
        }
        let secrets = response == nil ? [] : [0..<octets.count]
        octets.append(contentsOf: [ASCII.cr, ASCII.lf])
        output.append(.octets(octets, secrets: secrets), of: id)
    }

    /// Ends IDLE, if it is under way.
    public mutating func endIdle() {
        switch idle {
        case .asked: idle = .asked(endsAtOnce: true)
        case .active:
            idle = .ending
            if let id = running.first(where: { $0.command.effect == .idle })?.id {
                output.append(.octets(Array("DONE\r\n".utf8), secrets: []), of: id)
            }
        case .ending, nil: break
        }
    }

    /// Whether `nextOutput()` has something.
    public var hasOutput: Bool { output.isReady }

    /// What to write next, `nil` when there is nothing, or when the server has to speak first.
    public mutating func nextOutput() -> SessionOutput? { output.next() }

    // MARK: Sending

    /// Moves commands from waiting to running, as far as they may be sent now.
    mutating func admit() {
        guard case .open = phase else { return }
        while let next = waiting.first, mayStart(next.command) {
            waiting.removeFirst()
            start(next)
        }
    }

    private func mayStart(_ command: any IMAPCommand) -> Bool {
        guard running.count < Self.pipelineLimit else { return false }
        if command.order.contains(.exclusive) { return running.isEmpty }
        return running.allSatisfy { other in
            !other.command.order.contains(.exclusive)
                && (!command.order.contains(.usesSequenceNumbers)
                    || other.command.order.contains(.keepsSequenceNumbers))
        }
    }

    private mutating func start(_ entry: Entry) {
        var entry = entry
        if let error = complaint(about: entry.command) {
            return events.append(.failed(entry.id, error))
        }
        entry.tag = Self.tagPrefix + String(entry.id.number)
        var encoder = CommandEncoder(
            capabilities: usableCapabilities, enabled: enabled, literals: literalSupport)
        encoder.raw(entry.tag.utf8)
        encoder.space()
        do throws(IMAPError) {
            try entry.command.encode(into: &encoder)
        } catch {
            var error = error
            error.command = error.command ?? entry.command.name
            return events.append(.failed(entry.id, error))
        }
        encoder.raw([ASCII.cr, ASCII.lf])
        for piece in encoder.finish() { output.append(piece, of: entry.id) }
        entry.collector.start(tag: entry.tag)
        running.append(entry)
        switch entry.command.effect {
        case .idle: idle = .asked(endsAtOnce: !waiting.isEmpty)
        case .select(let name): mailbox = SelectedMailbox(name: name)
        case .authenticate, .unauthenticate, .startTLS: capabilitiesAreCurrent = false
        default: break
        }
    }

    /// What the server offers, without what is distrusted.
    public var usableCapabilities: Capabilities {
        distrusted.isEmpty
            ? capabilities : Capabilities(capabilities.words.filter { !distrusted.contains($0) })
    }

    private func complaint(about command: any IMAPCommand) -> IMAPError? {
        let reason: String
        switch (command.scope, state) {
        case (.anyTime, _), (.notAuthenticated, .notAuthenticated),
            (.authenticated, .authenticated),
            (.authenticated, .selected), (.selected, .selected):
            if command.effect == .startTLS, isEncrypted {
                reason = "TLS has started already"
            } else {
                return nil
            }
        case (.notAuthenticated, _): reason = "the client is logged in already"
        case (.authenticated, .notAuthenticated), (.selected, .notAuthenticated):
            reason = "the client is not logged in"
        case (.selected, .authenticated): reason = "no mailbox is selected"
        }
        return IMAPError(kind: .outOfOrder(reason), command: command.name)
    }
}
