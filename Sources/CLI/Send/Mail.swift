import MartletBytes
import MartletCommandLineParsing
import MartletDomains
import MartletFiles
import MartletMIME
import MartletSMTP
import MartletTransport

/// What is to be sent, and to whom.
struct Mail: Sendable {
    /// Octets of a text or HTML, at most. Larger things are attached.
    static let textLimitInOctets = 64 << 20

    private enum Content: Sendable {
        case composed(OutgoingMessage)
        case ready(any OctetSource)
    }

    private let content: Content
    /// From whom and to whom, as servers see it.
    let envelope: DeliveryEnvelope
    /// The message's name, where this program gave it one.
    let messageID: String?

    /// Reads everything that the command line names.
    ///
    /// - Throws: `UsageError`, `AddressError`, `CompositionError`, `FileError`, `CommandFailure`.
    init(_ parsed: ParsedCommand, _ console: Console) async throws {
        if parsed[SendOptions.raw] {
            try await self.init(ready: parsed, console)
        } else {
            try await self.init(composed: parsed, console)
        }
    }

    /// Sends it.
    func send(
        through client: SMTPClient, progress: @escaping SMTPClient.ProgressHandler
    ) async throws(SMTPError) -> DeliveryReport {
        switch content {
        case .composed(let message):
            try await client.send(message, envelope: envelope, progress: progress)
        case .ready(let source):
            try await client.send(source, envelope: envelope, progress: progress)
        }
    }

    // MARK: Composed

    private init(composed parsed: ParsedCommand, _ console: Console) async throws {
        guard !parsed[SendOptions.readsRecipients] else {
            throw parsed.usageError("--read-recipients is for ready messages; add --raw.")
        }
        guard let author = parsed[SendOptions.from] else {
            throw parsed.usageError("--from ADDRESS is missing.")
        }
        let to = try addresses(parsed.all(SendOptions.to))
        let cc = try addresses(parsed.all(SendOptions.cc))
        let bcc = try addresses(parsed.all(SendOptions.bcc))
        guard !(to + cc + bcc).isEmpty else {
            throw parsed.usageError("there is no recipient; add --to ADDRESS.")
        }
        var message = OutgoingMessage(
            from: try MailboxAddress(author), to: to, cc: cc, bcc: bcc,
            subject: parsed[SendOptions.subject] ?? "")
        message.attachments = try parsed.all(SendOptions.attach).map { path in
            Attachment(name: lastComponent(of: path), content: try FileSource(path: path))
        }
        message.html = try parsed[SendOptions.html].map { path in
            try text(try WholeFile.read(path, limitInOctets: Self.textLimitInOctets), of: path)
        }
        if parsed[SendOptions.body] != nil || message.html == nil {
            message.text = try await Self.readText(parsed[SendOptions.body], console)
        }
        let clock = WallClock.now
        var random = SystemRandomNumberGenerator()
        message = message.completed(
            date: MailDate(
                secondsSinceEpoch: clock.secondsSinceEpoch, offsetInMinutes: clock.offsetInMinutes),
            messageIDDomain: (try? DomainName.toASCII(message.from[0].domain)) ?? "",
            random: &random)
        content = .composed(message)
        envelope = DeliveryEnvelope(
            reversePath: try reversePath(parsed, else: message.envelopeSender),
            forwardPaths: try message.recipients.map(forwardPath))
        messageID = message.messageID?.description
    }

    private static func readText(_ path: String?, _ console: Console) async throws -> String {
        if let path, path != "-" {
            return try text(try WholeFile.read(path, limitInOctets: textLimitInOctets), of: path)
        }
        if console.isTyped { console.remark("Type the message, then Ctrl-D on a line of its own.") }
        let name = "standard input"
        let spool = try Spool.reading(
            descriptor: 0, name: name, limitInOctets: textLimitInOctets)
        return try text(try await allOctets(of: spool), of: name)
    }

    // MARK: Ready

    private init(ready parsed: ParsedCommand, _ console: Console) async throws {
        if let option = SendOptions.composing.first(where: { parsed.isGiven($0) }) {
            throw parsed.usageError(
                "\(option.definition.longName) is for composing; with --raw the message is sent as it "
                    + "is, to --to or with --read-recipients to those it names.")
        }
        let readsRecipients = parsed[SendOptions.readsRecipients]
        let to = try addresses(parsed.all(SendOptions.to))
        guard readsRecipients == to.isEmpty else {
            throw parsed.usageError(
                readsRecipients
                    ? "--to and --read-recipients exclude each other: give one of them."
                    : "there is no recipient; add --to ADDRESS or --read-recipients.")
        }
        let path = parsed[SendOptions.body] ?? "-"
        if path == "-", console.isTyped {
            console.remark("Type the message with its header, then Ctrl-D on a line of its own.")
        }
        let message = try await RawMessage(
            path == "-" ? try Spool.reading(descriptor: 0) : try FileSource(path: path))
        var recipients = to
        if readsRecipients {
            if let damaged = message.recipients.damaged.first {
                let text = String(decoding: damaged.prefix(80), as: UTF8.self)
                throw CommandFailure(
                    .badData,
                    "The message's To, Cc or Bcc holds \"\(text)\", which is no address; nothing was "
                        + "sent. Mend it, or give the recipients by --to.", kind: "invalidAddress")
            }
            recipients = message.recipients.mailboxes
            guard !recipients.isEmpty else {
                throw CommandFailure(
                    .badData, "The message names no recipient in To, Cc or Bcc.", kind: "missing")
            }
        }
        let author = try parsed[SendOptions.from].map { try MailboxAddress($0) }
        content = .ready(message.withoutBcc())
        envelope = DeliveryEnvelope(
            reversePath: try reversePath(parsed, else: author ?? message.originator),
            forwardPaths: try recipients.map(forwardPath))
        messageID = nil
    }
}

// MARK: From words to values

/// The addresses in the values of an option, each of which may hold several.
private func addresses(_ texts: [String]) throws(AddressError) -> [MailboxAddress] {
    var addresses: [MailboxAddress] = []
    for text in texts {
        do {
            addresses.append(try MailboxAddress(text))
        } catch  where error.kind == .severalAddresses {
            let list = AddressList(text)
            guard list.damaged.isEmpty else { throw error }
            addresses += list.mailboxes
        }
    }
    return addresses
}

private func forwardPath(_ address: MailboxAddress) throws(SMTPError) -> ForwardPath {
    try ForwardPath(localPart: address.localPart, domain: address.domain)
}

private func reversePath(
    _ parsed: ParsedCommand, else author: MailboxAddress?
) throws -> ReversePath {
    if let text = parsed[SendOptions.envelopeFrom] {
        if text == "<>" { return .null }
        let address = try MailboxAddress(text)
        return try ReversePath(localPart: address.localPart, domain: address.domain)
    }
    guard let author else {
        throw parsed.usageError(
            "the message does not say who sends it; add --envelope-from ADDRESS.")
    }
    return try ReversePath(localPart: author.localPart, domain: author.domain)
}

private func text(_ octets: [UInt8], of name: String) throws(CommandFailure) -> String {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let octets = octets.starts(with: mark) ? octets.dropFirst(mark.count) : octets[...]
    guard let text = String(validating: octets, as: UTF8.self) else {
        throw CommandFailure(
            .badData,
            "The text in \"\(name)\" is not in UTF-8. Convert it, or attach it as a file.",
            kind: "invalidText")
    }
    return text
}

private func allOctets(of source: some OctetSource) async throws -> [UInt8] {
    if let octets = source.octetsInMemory { return octets }
    var octets: [UInt8] = []
    octets.reserveCapacity(source.sizeInOctets)
    var reader = try source.makeReader()
    while octets.count < source.sizeInOctets {
        octets += try await reader.read(atMost: source.sizeInOctets - octets.count)
    }
    return octets
}

private func lastComponent(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}
