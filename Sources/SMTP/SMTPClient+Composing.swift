import MartletBytes
import MartletDomains
import MartletMIME
import MartletSMTPCore
import MartletTransport

/// Composed messages: rendered for what the server can take, just before they go.
extension SMTPClient {
    /// Sends a composed message. A missing date and message ID are filled in.
    ///
    /// The text goes as 8-bit where the server takes that and as quoted-printable or base64 elsewhere; attachments are
    /// read while they are sent.
    ///
    /// - Parameters:
    ///   - message: what to send.
    ///   - envelope: from whom and to whom, where that is not the message's own sender and To, Cc and Bcc.
    ///   - progress: hears how far the message has come.
    /// - Returns: what became of each recipient. One that was refused does not keep the others from their copy.
    /// - Throws: `SMTPError` when nobody has a copy. `.invalidInput` for a value that cannot be sent, before
    ///   anything is; `deliveryIsUncertain` says whether the server may have taken the message all the same.
    @discardableResult
    public func send(
        _ message: OutgoingMessage, envelope: DeliveryEnvelope? = nil,
        progress: ProgressHandler? = nil
    ) async throws(SMTPError) -> DeliveryReport {
        let envelope =
            if let envelope { envelope } else { try DeliveryEnvelope(of: message) }
        let route = try envelope.withASCIIDomains()
        let complete = message.completed(on: .now)
        if connection == nil {
            // What can be sent to no server at all is found before anything is sent.
            _ = try await Self.render(
                complete, RenderingOptions(allows8Bit: true, allowsUTF8Headers: true))
        }
        try await takeTurn(.envelope)
        defer { giveTurn() }
        return try await deliver(.composed(complete), route, progress)
    }

    nonisolated static func render(
        _ message: OutgoingMessage, for capabilities: SMTPCapabilities
    ) async throws(SMTPError) -> RenderedMessage {
        try await render(
            message,
            RenderingOptions(
                allows8Bit: capabilities.has(.eightBitMIME),
                allowsUTF8Headers: capabilities.has(.smtpUTF8)))
    }

    // Encoding may take its time: not on the loop.
    private nonisolated static func render(
        _ message: OutgoingMessage, _ options: RenderingOptions
    ) async throws(SMTPError) -> RenderedMessage {
        var options = options
        options.domainToASCII = { try DomainName.toASCII($0) }
        do throws(CompositionError) {
            return try message.rendered(options)
        } catch {
            throw SMTPError(error)
        }
    }
}

extension MessageBody {
    init(_ message: RenderedMessage) {
        if let small = MessageBody(small: message) {
            self = small
        } else {
            self.init(streamed: message)
        }
        content.needsSMTPUTF8 = message.needsSMTPUTF8
    }

    private init(streamed message: RenderedMessage) {
        source = message
        content = .init(sizeInOctets: message.sizeInOctets, is8Bit: message.needs8BitMIME)
    }
}

extension DeliveryEnvelope {
    /// The envelope that a message stands for: from its sender, to everybody in To, Cc and Bcc, each once.
    ///
    /// - Throws: `SMTPError` with `.invalidInput` when it has no author, or an address cannot be sent.
    public init(of message: OutgoingMessage) throws(SMTPError) {
        guard let sender = message.envelopeSender else {
            throw SMTPError(
                kind: .invalidInput("the message does not say whom it is from"), stage: .envelope)
        }
        var paths: [ForwardPath] = []
        for recipient in message.recipients {
            paths.append(ForwardPath(try PathMailbox(recipient)))
        }
        self.init(reversePath: .mailbox(try PathMailbox(sender)), forwardPaths: paths)
    }
}

extension PathMailbox {
    /// The address without the name beside it.
    ///
    /// - Throws: `SMTPError` with `.invalidInput` when it is longer than a path may be.
    public init(_ address: MailboxAddress) throws(SMTPError) {
        try self.init(localPart: address.localPart, domain: address.domain)
    }
}

extension OutgoingMessage {
    /// With a date and a message ID of the sender's domain, where it has none.
    func completed(on clock: WallClock) -> OutgoingMessage {
        let date = MailDate(
            secondsSinceEpoch: clock.secondsSinceEpoch, offsetInMinutes: clock.offsetInMinutes)
        let domain = envelopeSender.flatMap { try? DomainName.toASCII($0.domain) }
        var random = SystemRandomNumberGenerator()
        return completed(date: date, messageIDDomain: domain ?? "", random: &random)
    }
}

extension SMTPError {
    init(_ error: CompositionError) {
        switch error.kind {
        case .needsSMTPUTF8:
            self.init(kind: .needsSMTPUTF8(error.value ?? error.field), stage: .envelope)
        case .unreadable, .contentShrank, .contentGrew:
            self.init(kind: .unreadableMessage, stage: .envelope, underlying: error)
        default:
            let sentence = "\(error)"
            let words = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
            self.init(kind: .invalidInput(words), stage: .envelope, underlying: error)
        }
    }
}
