import MartletBytes
import MartletMIME

/// The server's side of one connection, without the connection. RFC 5321 §4, RFC 4954, RFC 3207.
///
///     var session = SMTPServerSession(configuration)
///     var output: [UInt8] = []
///     session.start(into: &output)                         // the greeting
///     loop:
///         while let action = session.nextAction(into: &output) {
///             switch action {
///             case .recipient(let path):
///                 session.answer(exists(path) ? .accept() : .refuse(noSuchUser), into: &output)
///             case .close: …write output, close…
///             …
///             }
///         }
///         …write output; read more; session.receive(octets); at the end of input: session.peerClosed()…
///
/// Replies are gathered in the output, so that a pipelined batch is answered with one write. While an answer is
/// owed, `nextAction` gives `nil` and commands wait.
public struct SMTPServerSession: Sendable {
    /// Most octets of a command line with its line end. RFC 5321 §4.5.3.1.4 asks for 512.
    public static let lineLimitInOctets = 4 * 1024
    /// Most octets of an AUTH line with its line end. RFC 4954 §4 asks for 12,288.
    public static let authenticationLineLimitInOctets = 16 * 1024
    /// Most recipients of a message. RFC 5321 §4.5.3.1.8 asks for 100.
    public static let recipientLimit = 1_000
    /// Most commands that are wrong or out of order; one more ends the session.
    public static let mistakeLimit = 20
    /// Most octets that are read and dropped after a message has turned out too large.
    public static let swallowLimitInOctets = 256 * 1024 * 1024
    /// Most octets of one `messagePiece`.
    public static let pieceLimitInOctets = 256 * 1024

    enum State: Sendable {
        /// The next line is a command. → all others
        case command
        /// An answer is owed. → command, challenged, message, allowed
        case asking(Question)
        /// The shell lets a command be done. → all others
        case allowed(SMTPServerCommand)
        /// The next line answers a challenge. → asking, command
        case challenged
        /// A message comes. → asking (messageEnds), command, closing
        case message(Message)
        /// The client starts TLS; plain octets are dropped. → command
        case tlsHandshake
        /// `close` is due. → closed
        case closing
        /// Whatever comes is dropped.
        case closed
    }

    enum Question: Sendable {
        case command(SMTPServerCommand)
        case authentication
        case sender(ReversePath, usesSMTPUTF8: Bool)
        case recipient(ForwardPath)
        case message
    }

    struct Message: Sendable {
        var unstuffer = DotUnstuffer()
        var sizeInOctets = 0
        var isTooLarge = false
    }

    enum Transaction: Sendable {
        case none
        case open(DeliveryEnvelope, usesSMTPUTF8: Bool)
    }

    /// How the server presents itself.
    public let configuration: SMTPServerConfiguration
    /// Whether what comes and goes is encrypted.
    public internal(set) var isEncrypted: Bool
    /// Whether a login succeeded.
    public internal(set) var isAuthenticated = false
    /// What the client called itself, `nil` before EHLO or HELO.
    public internal(set) var clientName: String?

    var state = State.command
    var transaction = Transaction.none
    var mistakes = 0
    // What MAIL may say parameters of.
    var offered: Set<SMTPExtension>
    var lines = CommandLineBuffer()

    /// Makes a session that has not greeted yet.
    ///
    /// - Parameter isEncrypted: whether TLS was started before SMTP (implicit TLS).
    public init(_ configuration: SMTPServerConfiguration, isEncrypted: Bool = false) {
        self.configuration = configuration
        self.isEncrypted = isEncrypted
        offered = []
        updateOffered()
    }

    /// Whether the session is over.
    public var isOver: Bool {
        switch state {
        case .closing, .closed: true
        default: false
        }
    }

    /// Writes the greeting.
    public func start(into output: inout [UInt8]) {
        SMTPReply(220, nil, "\(configuration.hostName) ESMTP Martlet").encode(into: &output)
    }

    /// Takes octets as they were read. Then call `nextAction` until it gives `nil`.
    public mutating func receive(_ octets: [UInt8]) {
        octets.withUnsafeBufferPointer { receive($0) }
    }

    /// Takes octets as they were read. Then call `nextAction` until it gives `nil`.
    public mutating func receive(_ octets: ArraySlice<UInt8>) {
        octets.withUnsafeBufferPointer { receive($0) }
    }

    /// Takes octets as they were read. Then call `nextAction` until it gives `nil`.
    public mutating func receive(_ octets: UnsafeBufferPointer<UInt8>) {
        switch state {
        // What was said in the clear must not count after TLS has started. RFC 3207 §5.
        case .tlsHandshake, .closing, .closed: break
        default: lines.append(octets)
        }
    }

    /// Says that the TLS handshake succeeded: the client starts over with EHLO. RFC 3207 §4.2.
    public mutating func tlsStarted() {
        guard case .tlsHandshake = state else { return }
        state = .command
        isEncrypted = true
        isAuthenticated = false
        clientName = nil
        transaction = .none
        updateOffered()
    }

    /// Says that the client closed its side.
    ///
    /// - Returns: `.messageDropped` when that cut a message.
    public mutating func peerClosed() -> SMTPServerAction? {
        defer { state = .closed }
        if case .message(let message) = state, !message.isTooLarge { return .messageDropped }
        return nil
    }

    /// Ends the session with a reply, such as 421 when the client is silent or the server stops.
    ///
    /// - Returns: `.messageDropped` when that cuts a message. Write the output and close.
    public mutating func close(
        with reply: SMTPReply, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        if isOver { return nil }
        reply.encode(into: &output)
        return peerClosed()
    }

    /// The next thing to do; `nil` when more octets or an answer are needed.
    public mutating func nextAction(into output: inout [UInt8]) -> SMTPServerAction? {
        while true {
            switch state {
            case .command, .challenged:
                switch lines.next(limit: lineLimit) {
                case .none: return nil
                case .endless:
                    SMTPReply(421, EnhancedStatusCode(4, 5, 2), "That line has no end")
                        .encode(into: &output)
                    state = .closing
                case .tooLong:
                    var action: SMTPServerAction?
                    if case .challenged = state { action = .authenticationCancelled }
                    state = .command
                    mistake(500, (5, 5, 2), "Line too long", into: &output)
                    if let action { return action }
                case .line(let line):
                    let action = take(line, into: &output)
                    lines.clear(line)
                    if let action { return action }
                }
            case .allowed(let command):
                state = .command
                if let action = perform(command, into: &output) { return action }
            case .message(let message):
                if !lines.hasOctets, !message.unstuffer.isAtEnd { return nil }
                if let action = take(message, into: &output) { return action }
            case .closing:
                state = .closed
                return .close
            case .asking, .tlsHandshake, .closed: return nil
            }
        }
    }

    /// AUTH lines may be long; which kind a line is shows only when it is there.
    var lineLimit: Int {
        configuration.mechanisms.isEmpty
            ? Self.lineLimitInOctets : Self.authenticationLineLimitInOctets
    }
}
