import MartletBytes
import MartletSASL

/// The server's side of one connection, without the connection. RFC 1939, RFC 2449, RFC 2595, RFC 5034, RFC 6856.
///
///     var session = POP3ServerSession(configuration)
///     var output: [UInt8] = []
///     session.start(into: &output)                         // the greeting
///     loop:
///         while let action = session.nextAction(into: &output) {
///             switch action {
///             case .logIn(let login):
///                 session.answer(isRight(login) ? .open(maildrop) : .refuse(wrong), into: &output)
///             case .retrieve(let number, _):
///                 for piece in message(number) {
///                     guard session.messagePiece(piece, into: &output) else { break }
///                     …write output when there is much of it…
///                 }
///                 session.messageEnds(into: &output)
///             case .close: …write output, close…
///             …
///             }
///         }
///         …write output; read more; session.receive(octets); at the end of input: session.peerClosed()…
///
/// Replies are gathered in the output, so that a pipelined batch is answered with few writes; `flush` bounds it. While an
/// answer is owed, `nextAction` gives `nil` and commands wait.
public struct POP3ServerSession: Sendable {
    /// Most octets of a command line with its line end. RFC 2449 §4 asks for 255; names and passwords may be UTF-8.
    public static let lineLimitInOctets = 1_024
    /// Most octets of a line of a login by SASL with its line end.
    public static let authenticationLineLimitInOctets = 16 * 1024
    /// Most commands that are wrong or out of order; one more ends the session.
    public static let mistakeLimit = 20
    /// Octets of output after which it has to be written before commands go on.
    public static let outputLimitInOctets = 64 * 1024

    enum State: Sendable {
        /// The next line is a command. → all others
        case command
        /// An answer is owed. → command, challenged, allowed, closing
        case asking(Question)
        /// The shell lets a command be done. → all others
        case allowed(POP3ServerCommand)
        /// The next line answers a challenge. → asking, command
        case challenged
        /// The lines of a listing are written, as far as the output has room. → command
        case listing(Listing)
        /// The client starts TLS; plain octets are dropped. → command
        case tlsHandshake
        /// `close` is due. → closed
        case closing
        /// Whatever comes is dropped.
        case closed
    }

    enum Question: Sendable {
        case command(POP3ServerCommand)
        case login
        case message(Delivery)
        case commit
    }

    /// A message on its way to the client.
    struct Delivery: Sendable {
        var entry: ServedMaildrop.Entry
        /// For TOP.
        var cut: HeaderCut?
        var stuffer = DotStuffer()
        var hasBegun = false
    }

    /// LIST or UIDL on its way to the client.
    struct Listing: Sendable {
        var next = 1
        var givesIDs: Bool
    }

    /// How the server presents itself.
    public let configuration: POP3ServerConfiguration
    /// Whether what comes and goes is encrypted.
    public internal(set) var isEncrypted: Bool
    /// Whether the client wants messages as they are, with UTF-8 in their headers. RFC 6856 §2.
    public internal(set) var isUTF8 = false
    /// The maildrop, once a login succeeded.
    public internal(set) var maildrop: ServedMaildrop?

    var state = State.command
    var user: String?
    var mistakes = 0
    var lines = CommandLineBuffer()

    /// Makes a session that has not greeted yet.
    ///
    /// - Parameter isEncrypted: whether TLS was started before POP3 (implicit TLS).
    public init(_ configuration: POP3ServerConfiguration, isEncrypted: Bool = false) {
        self.configuration = configuration
        self.isEncrypted = isEncrypted
    }

    /// Whether the session is over.
    public var isOver: Bool {
        switch state {
        case .closing, .closed: true
        default: false
        }
    }

    /// Whether a login succeeded.
    public var isAuthenticated: Bool { maildrop != nil }

    /// Writes the greeting.
    public func start(into output: inout [UInt8]) {
        let stamp = configuration.timestamp.map { " " + $0 } ?? ""
        POP3Reply.ok(configuration.greeting + stamp).encode(into: &output)
    }

    /// Takes octets as they were read. Then call `nextAction` until it gives `nil`.
    public mutating func receive(_ octets: [UInt8]) { receive(octets[...]) }

    /// Takes octets as they were read. Then call `nextAction` until it gives `nil`.
    public mutating func receive(_ octets: ArraySlice<UInt8>) {
        switch state {
        // What was said in the clear must not count after TLS has started. RFC 2595 §4.
        case .tlsHandshake, .closing, .closed: break
        default: octets.withUnsafeBufferPointer { lines.append($0) }
        }
    }

    /// Says that the TLS handshake succeeded: what was said before is forgotten. RFC 2595 §4.
    public mutating func tlsStarted() {
        guard case .tlsHandshake = state else { return }
        state = .command
        isEncrypted = true
        isUTF8 = false
        user = nil
    }

    /// Says that the client closed its side.
    ///
    /// - Returns: `.released` when that left a maildrop open.
    public mutating func peerClosed() -> POP3ServerAction? {
        defer {
            state = .closed
            maildrop = nil
        }
        if case .asking(.commit) = state { return nil }
        return maildrop == nil ? nil : .released
    }

    /// Ends the session with a reply, such as when the client is silent (RFC 1939 §3: ten minutes at least) or the server
    /// stops. Within a message or a listing it says nothing, since the reply would be taken for a part of it.
    ///
    /// - Returns: `.released` when that left a maildrop open. Write the output and close.
    public mutating func close(
        with reply: POP3Reply, into output: inout [UInt8]
    ) -> POP3ServerAction? {
        if isOver { return nil }
        switch state {
        case .asking(.message(let delivery)) where delivery.hasBegun: break
        case .listing, .tlsHandshake: break
        default: reply.encode(into: &output)
        }
        return peerClosed()
    }

    /// The next thing to do; `nil` when more octets or an answer are needed.
    public mutating func nextAction(into output: inout [UInt8]) -> POP3ServerAction? {
        while true {
            switch state {
            case .command, .challenged:
                if output.count >= Self.outputLimitInOctets { return .flush }
                switch lines.next(limit: lineLimit) {
                case .none: return nil
                case .endless:
                    say(.error(nil, "That line has no end"), into: &output)
                    state = .closing
                case .tooLong:
                    if let action = lineTooLong(into: &output) { return action }
                case .line(let line):
                    let action = take(line, into: &output)
                    lines.clear(line)
                    if let action { return action }
                }
            case .allowed(let command):
                state = .command
                if let action = perform(command, into: &output) { return action }
            case .listing(let listing):
                guard output.count < Self.outputLimitInOctets else { return .flush }
                go(on: listing, into: &output)
            case .closing:
                if maildrop != nil {
                    maildrop = nil
                    return .released
                }
                state = .closed
                return .close
            case .asking, .tlsHandshake, .closed: return nil
            }
        }
    }

    /// Lines of a login may be long; which kind a line is shows only when it is there.
    private var lineLimit: Int {
        isAuthenticated || offeredMechanisms.isEmpty
            ? Self.lineLimitInOctets : Self.authenticationLineLimitInOctets
    }

    private mutating func lineTooLong(into output: inout [UInt8]) -> POP3ServerAction? {
        var action: POP3ServerAction?
        if case .challenged = state { action = .authenticationCancelled }
        state = .command
        mistake("Line too long", into: &output)
        return action
    }

    /// Those of the configuration that can be done in this connection.
    package var offeredMechanisms: [String] {
        guard isEncrypted || configuration.allowsPlaintextAuthentication else { return [] }
        return configuration.mechanisms.filter {
            SASLServerMechanisms.canOffer($0, isEncrypted: isEncrypted)
        }
    }

    var offersUser: Bool {
        configuration.offersUser && (isEncrypted || configuration.allowsPlaintextAuthentication)
    }
}
