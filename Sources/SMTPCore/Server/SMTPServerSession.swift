import MartletBytes

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
        /// An answer is owed. → command, challenged, message
        case asking(Question)
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

    private enum Transaction: Sendable {
        case none
        case open(DeliveryEnvelope, usesSMTPUTF8: Bool)
    }

    /// How the server presents itself.
    public let configuration: SMTPServerConfiguration
    /// Whether what comes and goes is encrypted.
    public private(set) var isEncrypted: Bool
    /// Whether a login succeeded.
    public private(set) var isAuthenticated = false
    /// What the client called itself, `nil` before EHLO or HELO.
    public private(set) var clientName: String?

    private var state = State.command
    private var transaction = Transaction.none
    private var mistakes = 0
    // What MAIL may say parameters of.
    private var offered: Set<SMTPExtension>
    private var lines = CommandLineBuffer()

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
    private var lineLimit: Int {
        configuration.mechanisms.isEmpty
            ? Self.lineLimitInOctets : Self.authenticationLineLimitInOctets
    }

    // MARK: Lines

    private mutating func take(
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
        switch command {
        case .ehlo(let name): greet(name, isExtended: true, into: &output)
        case .helo(let name): greet(name, isExtended: false, into: &output)
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

    private mutating func takeResponse(
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

    // MARK: Commands

    private var offersAuthentication: Bool {
        !configuration.mechanisms.isEmpty
            && (isEncrypted || configuration.allowsPlaintextAuthentication)
    }

    private mutating func updateOffered() {
        offered = configuration.extensions
        offered.insert(.size)
        if offersAuthentication { offered.insert(.auth) }
    }

    private mutating func greet(
        _ name: String, isExtended: Bool, into output: inout [UInt8]
    ) {
        clientName = name
        transaction = .none
        var lines = ["\(configuration.hostName)"]
        if isExtended {
            lines += configuration.extensions.subtracting([.size, .startTLS, .auth]).map(\.keyword)
                .sorted()
            lines.append("SIZE \(configuration.maximumSizeInOctets)")
            if configuration.offersStartTLS, !isEncrypted { lines.append("STARTTLS") }
            if offersAuthentication {
                lines.append("AUTH " + configuration.mechanisms.joined(separator: " "))
            }
        }
        SMTPReply(code: 250, lines: lines.map { Array($0.utf8) }).encode(into: &output)
    }

    private mutating func startTLS(into output: inout [UInt8]) -> SMTPServerAction? {
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

    private mutating func authenticate(
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
        guard configuration.mechanisms.contains(mechanism) else {
            mistake(504, (5, 5, 4), "Mechanism not available", into: &output)
            return nil
        }
        state = .asking(.authentication)
        return .authenticate(mechanism: mechanism, initialResponse: initialResponse)
    }

    private mutating func mail(
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

    private mutating func rcpt(
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

    private mutating func data(into output: inout [UInt8]) -> SMTPServerAction? {
        guard case .open(let envelope, _) = transaction, !envelope.forwardPaths.isEmpty else {
            return outOfOrder("RCPT first", into: &output)
        }
        SMTPReply(354, nil, "End data with <CR><LF>.<CR><LF>").encode(into: &output)
        state = .message(Message())
        return .messageBegins(envelope)
    }

    // MARK: The message

    private mutating func take(
        _ current: Message, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        var message = current
        if message.unstuffer.isAtEnd {
            state = .asking(.message)
            return .messageEnds
        }
        var piece: [UInt8] = []
        lines.take(atMost: Self.pieceLimitInOctets) { message.unstuffer.append($0, to: &piece) }
        message.sizeInOctets += piece.count
        let limit = configuration.maximumSizeInOctets
        let wasTooLarge = message.isTooLarge
        message.isTooLarge = message.sizeInOctets > limit
        state = .message(message)
        if message.isTooLarge {
            if message.unstuffer.isAtEnd {
                endTransaction()
                reply(552, (5, 3, 4), "Message too large", into: &output)
            } else if message.sizeInOctets - limit > Self.swallowLimitInOctets {
                reply(421, (4, 3, 4), "Message far too large", into: &output)
                state = .closing
            }
            return wasTooLarge ? nil : .messageDropped
        }
        if message.unstuffer.isAtEnd, message.unstuffer.hasBareCR || message.unstuffer.hasBareLF {
            endTransaction()
            reply(550, (5, 6, 0), "Bare CR or LF in the message, RFC 5321 2.3.8", into: &output)
            return .messageDropped
        }
        // The end comes with the next call.
        return piece.isEmpty ? nil : .messagePiece(piece)
    }

    private mutating func endTransaction() {
        transaction = .none
        state = .command
    }

    // MARK: Answers

    /// Answers the last action that asks for an answer. Without one owed it does nothing.
    public mutating func answer(_ answer: SMTPServerAnswer, into output: inout [UInt8]) {
        guard case .asking(let question) = state else { return }
        state = .command
        switch (question, answer) {
        case (.authentication, .challenge(let challenge)):
            var text: [UInt8] = []
            challenge.withUnsafeBufferPointer { AuthBase64.encode($0, into: &text) }
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
            transaction = .none
            say(words, 250, (2, 0, 0), "Ok", into: &output)
        case (let question, .refuse(let words)):
            if case .message = question { transaction = .none }
            if case .authentication = question { mistakes += 1 }
            words.encode(into: &output)
            checkMistakes(into: &output)
        case (_, .challenge):
            // Only a login has challenges: nothing else can be meant by it than no.
            if case .message = question { transaction = .none }
            reply(451, (4, 3, 0), "Local error", into: &output)
        }
    }

    private func say(
        _ words: SMTPReply?, _ code: Int, _ enhanced: (Int, Int, Int), _ text: String,
        into output: inout [UInt8]
    ) {
        if let words {
            words.encode(into: &output)
        } else {
            reply(code, enhanced, text, into: &output)
        }
    }

    private func reply(
        _ code: Int, _ enhanced: (Int, Int, Int), _ text: String, into output: inout [UInt8]
    ) {
        let isEnhanced = configuration.extensions.contains(.enhancedStatusCodes)
        let status = EnhancedStatusCode(enhanced.0, enhanced.1, enhanced.2)
        SMTPReply(code, isEnhanced ? status : nil, text).encode(into: &output)
    }

    private mutating func outOfOrder(
        _ text: String, into output: inout [UInt8]
    ) -> SMTPServerAction? {
        mistake(503, (5, 5, 1), text, into: &output)
        return nil
    }

    private mutating func mistake(
        _ code: Int, _ enhanced: (Int, Int, Int), _ text: String, into output: inout [UInt8]
    ) {
        mistakes += 1
        reply(code, enhanced, text, into: &output)
        checkMistakes(into: &output)
    }

    private mutating func checkMistakes(into output: inout [UInt8]) {
        guard mistakes > Self.mistakeLimit else { return }
        reply(421, (4, 7, 0), "Too many mistakes", into: &output)
        state = .closing
    }
}
