import MartletBytes
import MartletCompression
import MartletIMAPCore
import MartletSASL
import MartletTransport

/// One IMAP connection to the sandbox. Commands are done one after the other, however many come at once.
actor IMAPService {
    let channel: ByteChannel
    let line: ClientLine
    let sandbox: Sandbox.Shared
    private var framer = CommandFramer(limits: Sandbox.imapLimits)
    var parser = CommandParser()
    var encoder = ResponseEncoder()
    private var literals: [any OctetSource] = []
    private var arriving: ArrivingLiteral?
    /// Whether what is said now is part of a login.
    var login: Login?
    var isEncrypted: Bool
    var inflater: Inflater?
    var deflater: Deflater?

    /// Who is logged in, by the whole address.
    var user: String?
    var enabled: Set<Capability> = []
    var view: MailboxView?
    /// The tag of an IDLE that goes on.
    var idleTag: String?
    /// Looks at the mailbox's folder while an IDLE goes on.
    var look: Task<Void, Never>?
    private var watch: Int?
    private var isOver = false
    /// Octets that are missing at the end of the first literal of each response.
    var cutInOctets = 0
    private var isFlushing = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        channel.loop.asUnownedSerialExecutor()
    }

    /// A literal that comes in pieces.
    private struct ArrivingLiteral {
        var pieces: [[UInt8]] = []
        var size = 0
        var isRefused = false
    }

    init(_ channel: ByteChannel, _ sandbox: Sandbox.Shared, isEncrypted: Bool) {
        self.channel = channel
        line = ClientLine(channel)
        self.sandbox = sandbox
        self.isEncrypted = isEncrypted
    }

    /// Serves the connection to its end.
    func run() async {
        do throws(TransportError) {
            if isEncrypted { try await startTLS() }
            try await greet()
            try await flush()
            while !isOver {
                let octets = try await line.read(within: silenceLimit)
                guard !octets.isEmpty else { break }
                if await line.isMute { continue }
                try await take(octets)
            }
        } catch {
            switch error.kind {
            case .timedOut where error.stage == .read:
                await sayGoodbye("You were silent for too long")
            case .cancelled: await sayGoodbye("The sandbox stops")
            default: break
            }
        }
        await leave()
        await channel.close()
    }

    /// Nobody waits half an hour before a login. RFC 9051 §5.4.
    private var silenceLimit: Duration {
        user == nil ? sandbox.configuration.loginLimit : sandbox.configuration.idleLimit
    }

    private func leave() async {
        look?.cancel()
        if let watch { await sandbox.mail.unwatch(watch) }
        if let arriving { await sandbox.mail.release(arriving.size) }
        await releaseLiterals()
        view = nil
    }

    private func sayGoodbye(_ words: String) async {
        say(.bye, nil, words)
        try? await flush()
    }

    // MARK: Output

    /// An untagged condition.
    func say(_ kind: UntaggedCondition.Kind, _ code: ResponseCode?, _ words: String) {
        encoder.append(.condition(UntaggedCondition(kind, text: ResponseText(code: code, words))))
    }

    /// The end of a command.
    func answer(
        _ tag: String, _ condition: StatusCondition, _ code: ResponseCode? = nil, _ words: String
    ) {
        encoder.append(
            .tagged(
                TaggedResponse(
                    tag: tag, condition: condition, text: ResponseText(code: code, words))))
    }

    func answer(_ tag: String, _ problem: MailProblem) {
        answer(tag, .no, problem.code, problem.words)
    }

    /// Octets of answers that are gathered before they are written.
    private static let batchInOctets = 64 * 1024

    /// Writes what was gathered, if it is much.
    func flushIfLarge() async throws(TransportError) {
        if encoder.octets.count >= Self.batchInOctets { try await flush() }
    }

    /// Writes what was gathered. One task writes at a time; what another adds meanwhile goes with it.
    func flush() async throws(TransportError) {
        guard !isFlushing else { return }
        isFlushing = true
        defer { isFlushing = false }
        while !encoder.octets.isEmpty {
            var octets = encoder.octets
            encoder.removeAll()
            if let deflater {
                var compressed: [UInt8] = []
                do throws(CompressionError) {
                    try deflater.append(octets[...], to: &compressed)
                    try deflater.flush(to: &compressed)
                } catch {
                    throw TransportError(.system, .write, peer: channel.peer)
                }
                octets = compressed
            }
            try await line.write(octets, within: sandbox.configuration.writeLimit)
        }
    }

    // MARK: Input

    private func take(_ octets: [UInt8]) async throws(TransportError) {
        guard let inflater else { return try await takePlain(octets) }
        do throws(CompressionError) {
            try inflater.append(octets)
        } catch {
            return endBadly("Compressed octets are damaged")
        }
        while !isOver {
            var piece: [UInt8] = []
            do throws(CompressionError) {
                guard try inflater.next(into: &piece) > 0 else { return }
            } catch {
                return endBadly("Compressed octets are damaged")
            }
            try await takePlain(piece)
        }
    }

    func takePlain(_ octets: [UInt8]) async throws(TransportError) {
        framer.append(octets)
        while !isOver {
            let piece: CommandFramer.Piece
            framer.expectsAnswer = login != nil
            do throws(EndlessCommand) {
                guard let next = try framer.next() else { break }
                piece = next
            } catch {
                return endBadly("A command does not end")
            }
            try await take(piece)
        }
        try await flush()
    }

    private func take(_ piece: CommandFramer.Piece) async throws(TransportError) {
        switch piece {
        case .command(let frame):
            let literals = literals
            try await take(frame, literals)
            await releaseLiterals()
        case .continuationDue(let head, let size):
            if let refusal = await refusal(of: head, size) {
                framer.refuseLiteral()
                await releaseLiterals()
                encoder.append(.tagged(refusal))
            } else {
                encoder.append(.continuation(ContinuationRequest(octets: Array("OK".utf8))))
            }
            try await flush()
        case .literalBegins: arriving = ArrivingLiteral()
        case .literalOctets(let octets): await takeLiteral(octets)
        case .literalEnds: endLiteral()
        case .refused(let refusal, let tag):
            await releaseLiterals()
            let name = String(decoding: tag, as: UTF8.self)
            if name.isEmpty {
                say(.bad, nil, "\(refusal)")
            } else {
                answer(name, .bad, .tooBig, "\(refusal)")
            }
        }
    }

    private func endBadly(_ words: String) {
        say(.bye, nil, words)
        isOver = true
    }

    /// The connection ends once what was said is written.
    func end() { isOver = true }

    // MARK: Literals

    /// Octets up to which pieces are joined.
    private static let pieceInOctets = 64 * 1024

    private func takeLiteral(_ octets: ArraySlice<UInt8>) async {
        guard arriving?.isRefused == false else { return }
        guard user != nil, await sandbox.mail.admit(octets.count) else {
            await sandbox.mail.release(arriving?.size ?? 0)
            arriving?.pieces = []
            arriving?.size = 0
            arriving?.isRefused = true
            return
        }
        arriving?.size += octets.count
        arriving?.pieces.append(Array(octets))
    }

    private func endLiteral() {
        guard let arriving else { return }
        var octets: [UInt8] = []
        octets.reserveCapacity(arriving.size)
        for piece in arriving.pieces { octets += piece }
        literals.append(arriving.isRefused ? RefusedLiteral() : OctetArray(octets))
        self.arriving = nil
    }

    /// What the literals took of the room for what is coming.
    private func releaseLiterals() async {
        for literal in literals { await sandbox.mail.release(literal.sizeInOctets) }
        literals = []
    }

    /// Why a literal is not wanted, before it comes.
    private func refusal(of head: ResponseFrame, _ size: UInt64) async -> TaggedResponse? {
        let parsed: CommandHead
        do throws(CommandProblem) {
            parsed = try parser.parseHead(head)
        } catch {
            return TaggedResponse(
                tag: error.tag ?? "*", condition: error.condition, text: error.text)
        }
        func no(_ code: ResponseCode?, _ words: String) -> TaggedResponse {
            TaggedResponse(tag: parsed.tag, condition: .no, text: ResponseText(code: code, words))
        }
        guard parsed.name == "APPEND" else {
            return size > UInt64(Self.pieceInOctets)
                ? no(.tooBig, "Only messages may be that large") : nil
        }
        guard let user else { return no(nil, "Log in first") }
        if size > UInt64(sandbox.configuration.messageLimitInOctets) {
            return no(
                .tooBig, "A message may have \(sandbox.configuration.messageLimitInOctets) octets")
        }
        if let name = parsed.mailbox, await sandbox.mail.mailbox(name, of: user) == nil {
            return no(.tryCreate, "There is no such mailbox")
        }
        return nil
    }

    /// Forgets what has come and was not read: it was said before TLS.
    func dropInput() { _ = framer.takeBufferedOctets() }

    /// Takes up what came behind the command that began compression.
    func decompressInput() async throws(TransportError) {
        let octets = framer.takeBufferedOctets()
        if !octets.isEmpty { try await take(octets) }
    }

    // MARK: What others do

    func stopWatching() async {
        guard let watch else { return }
        self.watch = nil
        await sandbox.mail.unwatch(watch)
    }

    /// Begins to hear of changes in the user's mailboxes.
    func startWatching() async {
        guard let user, watch == nil else { return }
        let loop = channel.loop
        watch = await sandbox.mail.watch(user) { [weak self] in
            guard let service = self else { return }
            loop.execute { service.assumeIsolated { $0.somethingChanged() } }
        }
    }

    private var isTelling = false

    /// While a client idles, it is told at once.
    private func somethingChanged() {
        guard idleTag != nil, !isTelling else { return }
        isTelling = true
        // Ends by itself: one look at the mailbox.
        Task {
            isTelling = false
            guard idleTag != nil else { return }
            await tellNews(mayShrink: true, isIdling: true)
            try? await flush()
        }
    }
}

/// A literal that there was no room for.
struct RefusedLiteral: OctetSource {
    var sizeInOctets: Int { 0 }
    var octetsInMemory: [UInt8]? { [] }
    func makeReader() -> any OctetReader { OctetArray([]).makeReader() }
}
