import MartletBytes
import MartletIMAP
import MartletTransport

/// A connection on which a person types the commands.
///
/// One task listens all the time and prints; another sends line by line, each with a tag, and waits until it is answered
/// or more is asked for.
actor IMAPConversation {
    /// How long an answer may take.
    private static let replyLimit: Duration = .seconds(300)
    /// How long the goodbye may take.
    private static let logoutLimit: Duration = .seconds(5)

    /// What the listener tells whoever sends.
    private enum Signal: Sendable {
        case tagged
        case continuation
        case over
    }

    private let server: IMAPServer
    private let console: Console
    private let channel: ByteChannel
    private var framer = ResponseFramer(tagPrefix: tagPrefix)
    private var lastNumber = 0
    /// The command that is not answered yet.
    private var tag: String?
    private var signals: [Signal] = []
    private var waiter: CheckedContinuation<Signal, Never>?
    private var hasEnded = false
    private var failure: IMAPError?
    /// What this program says itself, and the answers to that, are remarks and no results.
    private var isOwnCommand = false

    private static let tagPrefix = "r"

    /// Connects, with TLS and login where they are asked for, and prints the greeting.
    static func open(_ server: IMAPServer, _ console: Console) async throws -> IMAPConversation {
        let client = IMAPClient(server)
        let (steps, continuation) = AsyncStream.makeStream(of: IMAPConnectionStep.self)
        async let channel = client.detach(steps: continuation)
        for await step in steps {
            switch step {
            case .greeted(let greeting):
                console.output(
                    Console.printable("* \(greeting.kind.rawValue) \(greeting.text.words)"))
            case .authenticated(let mechanism): console.remark("Logged in by \(mechanism).")
            default: break
            }
        }
        return IMAPConversation(server, console, try await channel)
    }

    private init(_ server: IMAPServer, _ console: Console, _ channel: ByteChannel) {
        self.server = server
        self.console = console
        self.channel = channel
    }

    /// Closes the connection.
    func close() async { await channel.close() }

    /// Talks until LOGOUT, the end of the input, or the server's.
    func hold() async -> Result<ExitStatus, IMAPError> {
        let status = await withTaskGroup(of: ExitStatus?.self) { group in
            group.addTask {
                await self.listen()
                return nil
            }
            group.addTask { await self.talk() }
            // Whoever ends first ends the other: a closed connection the input, the input the connection.
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? second
        }
        if let failure { return .failure(failure) }
        return .success(status ?? .success)
    }

    // MARK: Listening

    private func listen() async {
        while !hasEnded {
            let octets: [UInt8]
            do throws(TransportError) {
                octets = try await channel.read(within: Self.replyLimit)
            } catch {
                switch error.kind {
                case .timedOut where tag == nil: continue
                case .timedOut: return end(IMAPError(kind: .timeout))
                case .cancelled, .closed: return end(nil)
                default: return end(IMAPError(kind: .transport, underlying: error))
                }
            }
            if octets.isEmpty {
                return end(tag == nil ? nil : IMAPError(kind: .unexpectedClose))
            }
            framer.append(octets)
            do throws(FramingError) {
                while let piece = try framer.next() { take(piece) }
            } catch {
                return end(IMAPError(kind: .protocolViolation("sent \(error)")))
            }
        }
    }

    private func take(_ piece: FramedPiece) {
        switch piece {
        case .response(let frame):
            show(frame.octets.dropFirst(shownOfHead))
            shownOfHead = 0
            guard frame.detached.isEmpty else { return }
            if frame.octets.starts(with: [UInt8(ascii: "+")]) {
                signal(.continuation)
            } else if let tag, frame.octets.starts(with: Array((tag + " ").utf8)) {
                self.tag = nil
                signal(.tagged)
            }
        case .literalBegins(let literal):
            show(literal.head.octets.dropFirst(shownOfHead), endsLine: true)
            shownOfHead = literal.head.octets.count
        case .literalOctets(let octets): console.output(message: octets)
        case .literalEnds: break
        }
    }

    /// Octets of the frame under way that were shown with a large literal.
    private var shownOfHead = 0

    /// As it came; on a terminal without what could move its cursor.
    private func show(_ octets: ArraySlice<UInt8>, endsLine: Bool = true) {
        let octets = octets.filter { $0 != ASCII.cr }
        let text = String(decoding: octets, as: UTF8.self)
        if isOwnCommand {
            for line in text.split(separator: "\n") { console.remark("S: \(line)") }
        } else if console.isShown {
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                console.output(Console.printable(String(line)))
            }
        } else {
            console.output(octets: octets + [ASCII.lf])
        }
    }

    private func signal(_ signal: Signal) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: signal)
        } else {
            signals.append(signal)
        }
    }

    private func end(_ error: IMAPError?) {
        hasEnded = true
        if var error, failure == nil {
            error.server = error.server ?? server.host
            failure = error
        }
        waiter?.resume(returning: .over)
        waiter = nil
    }

    private func nextSignal() async -> Signal {
        if !signals.isEmpty { return signals.removeFirst() }
        if hasEnded { return .over }
        return await withCheckedContinuation { waiter = $0 }
    }

    // MARK: Talking

    private func talk() async -> ExitStatus {
        var lines = LineInput().lines()
        var status = ExitStatus.success
        while !hasEnded {
            guard let line = await lines.next() else { break }
            guard !line.isEmpty else { continue }
            guard let refusal = Self.refusal(of: line) else {
                guard await carryOut(line, &lines) else {
                    status = hasEnded ? .success : .badData
                    break
                }
                continue
            }
            console.remark("\(refusal) It was not sent.")
            status = .badData
        }
        await logOut()
        return status
    }

    /// Why a command cannot be sent here.
    private static func refusal(of line: [UInt8]) -> String? {
        let word = String(decoding: line.prefix { $0 != ASCII.space }, as: UTF8.self).uppercased()
        switch word {
        case "STARTTLS": return "STARTTLS is for --tls starttls: it comes before everything else."
        case "COMPRESS": return "What is compressed cannot be read by hand."
        default: return nil
        }
    }

    /// Sends a command with all that belongs to it.
    ///
    /// - Returns: whether it was answered.
    private func carryOut(_ line: [UInt8], _ lines: inout LineInput.Lines) async -> Bool {
        lastNumber += 1
        let tag = Self.tagPrefix + "\(lastNumber)"
        self.tag = tag
        let name = String(decoding: line.prefix { $0 != ASCII.space }, as: UTF8.self).uppercased()
        guard var rest = await send(Array((tag + " ").utf8) + line, &lines) else { return false }
        while rest == .continuation {
            let isSecret = name == "AUTHENTICATE"
            guard let next = await nextLine(&lines, isHidden: isSecret) else {
                if name == "IDLE" { return await send(Array("DONE".utf8), &lines) != nil }
                return false
            }
            guard let signal = await send(next, &lines) else { return false }
            rest = signal
        }
        return rest == .tagged
    }

    /// Sends a line, and literals that it announces with the lines behind them.
    ///
    /// - Returns: what came for the last line; `nil` where the input ended inside a literal, or nothing more comes.
    private func send(
        _ line: [UInt8], _ lines: inout LineInput.Lines
    ) async -> Signal? {
        var line = line
        while true {
            guard await write(line + [ASCII.cr, ASCII.lf]) else { return nil }
            guard let literal = AnnouncedLiteral(endOf: line) else { break }
            if literal.isSynchronizing {
                switch await nextSignal() {
                case .continuation: break
                case .tagged: return .tagged  // refused
                case .over: return nil
                }
            }
            var left = literal.size
            var octets: [UInt8] = []
            while left > 0 {
                guard let next = await lines.next() else {
                    console.remark("The input ended inside a literal; the connection was closed.")
                    return nil
                }
                let piece = next + [ASCII.cr, ASCII.lf]
                octets += piece.prefix(left)
                if piece.count > left {
                    // What is behind the literal goes on as the rest of the command.
                    line = Array(next.dropFirst(left))
                    left = 0
                    break
                }
                left -= piece.count
                if left == 0 { line = await lines.next() ?? [] }
                if octets.count >= 65_536 || left == 0 {
                    guard await write(octets) else { return nil }
                    octets = []
                }
            }
            guard await write(octets) else { return nil }
        }
        let signal = await nextSignal()
        return signal == .over ? nil : signal
    }

    /// A line of the input, or one that is typed unseen.
    private func nextLine(_ lines: inout LineInput.Lines, isHidden: Bool) async -> [UInt8]? {
        guard isHidden, console.isTyped else { return await lines.next() }
        guard case .secret(let secret) = HiddenInput.ask("(not shown) ") else { return nil }
        return secret.withOctets { [UInt8]($0) }
    }

    private func write(_ octets: [UInt8]) async -> Bool {
        guard !octets.isEmpty else { return true }
        do throws(TransportError) {
            try await channel.write(octets, within: Self.replyLimit)
            return true
        } catch {
            end(IMAPError(kind: .transport, underlying: error))
            return false
        }
    }

    /// Says goodbye where that is possible, and does not wait long for the answer.
    private func logOut() async {
        guard !hasEnded, tag == nil else { return }
        isOwnCommand = true
        lastNumber += 1
        let tag = Self.tagPrefix + "\(lastNumber)"
        self.tag = tag
        console.remark("C: \(tag) LOGOUT")
        guard await write(Array("\(tag) LOGOUT\r\n".utf8)) else { return }
        // Cancelled below, when the answer has come.
        let timer = Task {
            try await Task.sleep(for: Self.logoutLimit)
            end(nil)
        }
        _ = await nextSignal()
        timer.cancel()
    }
}

/// `{12}`, `{12+}` or `~{12}` at the end of a line. RFC 9051 §4.3, RFC 3516 §4.4.
struct AnnouncedLiteral: Equatable {
    var size: Int
    var isSynchronizing: Bool

    init?(endOf line: [UInt8]) {
        guard line.last == UInt8(ascii: "}"), let open = line.lastIndex(of: UInt8(ascii: "{"))
        else { return nil }
        var digits = line[(open + 1)...].dropLast()
        isSynchronizing = digits.last != UInt8(ascii: "+")
        if !isSynchronizing { digits = digits.dropLast() }
        guard (1...18).contains(digits.count), digits.allSatisfy(\.isDigit),
            let size = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self.size = size
    }
}
