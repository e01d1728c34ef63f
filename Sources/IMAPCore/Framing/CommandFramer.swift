import MartletBytes

/// Finds whole commands in what a client sends, however it is cut. Linear in the octets. RFC 9051 §2.2.1, §4.3, RFC 7888.
///
/// A bare LF ends a line as well. Memory is bounded by the limits; how long a client may take is for the shell to say.
public struct CommandFramer: Sendable {
    /// What a server finds in what a client sends.
    public enum Piece: Hashable, Sendable {
        /// A whole command, or a line that is no command such as `DONE` or the answer to a challenge. Without its line end.
        case command(ResponseFrame)
        /// The client waits for `+` before it sends a literal. Its command so far, up to `{n}` and its line end, tells whether
        /// the literal is welcome: answer with a continuation, or with `NO` or `BAD` and `CommandFramer.refuseLiteral()`.
        case continuationDue(ResponseFrame, size: UInt64)
        /// A large literal begins. `literalOctets` as often as needed and `literalEnds` follow.
        case literalBegins(DetachedLiteral)
        /// The next octets of the large literal.
        case literalOctets(ArraySlice<UInt8>)
        /// The large literal is over.
        case literalEnds
        /// A command is refused, and passed over. `tag` is what stood in front of its first space.
        case refused(CommandRefusal, tag: [UInt8])
    }

    /// Octets of a command that `DetachedLiteral.head` and `continuationDue` show at most: of a longer one the start and
    /// the end.
    static let headLimitInOctets = 64 * 1024
    private static let tagLimitInOctets = 64
    private static let announcementLimitInOctets = 64

    private enum State {
        /// Within a line. Next: any.
        case line
        /// Within a literal of which so many octets are missing. Next: `line`.
        case literal(Int)
        /// Within a literal that is handed on. Next: `detachedEnds`.
        case detached(UInt64)
        /// Behind it. Next: `line`.
        case detachedEnds
        /// Within a line of a refused command. Next: `droppedLineEnds`.
        case droppingLine
        /// Behind it. Next: `droppingLiteral`, or `line` of the next command.
        case droppedLineEnds
        /// Within a literal of a refused command. Next: `droppingLine`.
        case droppingLiteral(UInt64)
    }

    private let limits: CommandLimits
    private var buffer = FrameBuffer()
    private var state = State.line
    private var segmentStart = 0
    private var literalCount = 0
    private var literalOctetCount = 0
    private var marks: [DetachedMark] = []
    private var announced: DetachedLiteral?
    // Of a refused command: octets that were dropped, and the end of its line.
    private var droppedCount: UInt64 = 0
    private var droppedEnd: [UInt8] = []

    /// Makes a framer at the start of a command.
    public init(limits: CommandLimits = .standard) { self.limits = limits }

    /// Whether the next line answers a challenge: then an empty one is an answer. Else it is no command, and passed over.
    /// RFC 9051 §6.2.2.
    public var expectsAnswer = false

    /// Takes octets as they come.
    public mutating func append(_ octets: [UInt8]) { buffer.append(octets) }

    /// The next piece, `nil` when more octets are needed.
    ///
    /// - Throws: `EndlessCommand`; the framer is of no more use then.
    public mutating func next() throws(EndlessCommand) -> Piece? {
        while true {
            if let literal = announced {
                announced = nil
                return .literalBegins(literal)
            }
            if case .detachedEnds = state {
                beginSegment()
                return .literalEnds
            }
            try drop(0)
            if case .droppedLineEnds = state { endDroppedLine() }
            guard buffer.hasMore() else { return nil }
            switch state {
            case .line: if let piece = readLine() { return piece }
            case .literal(let count):
                let taken = buffer.take(count)
                if taken == count { beginSegment() } else { state = .literal(count - taken) }
            case .detached(let count):
                let octets = buffer.takeOutside(count)
                let rest = count - UInt64(octets.count)
                state = rest > 0 ? .detached(rest) : .detachedEnds
                return .literalOctets(octets)
            case .detachedEnds, .droppedLineEnds: break
            case .droppingLine: try dropLine()
            case .droppingLiteral(let count): try dropLiteral(count)
            }
        }
    }

    /// Forgets the command whose literal the client waits to send: it was told `NO` or `BAD`. To be called behind
    /// `continuationDue` at once. What comes next is another command.
    public mutating func refuseLiteral() {
        announced = nil
        startCommand(at: buffer.frameLength)
    }

    /// Whether octets wait that no command has used.
    public var hasBufferedOctets: Bool { !buffer.isEmpty || announced != nil }

    /// The octets that no command has used, for whoever reads on in another way, such as a decompressor. The framer is
    /// empty then. Not for use within a literal.
    public mutating func takeBufferedOctets() -> [UInt8] {
        let octets = buffer.waiting()
        let expectsAnswer = expectsAnswer
        self = CommandFramer(limits: limits)
        self.expectsAnswer = expectsAnswer
        return octets
    }

    /// The start of a command that is not complete, safe to print.
    public var excerpt: String { buffer.excerpt }

    // MARK: Lines

    private mutating func readLine() -> Piece? {
        let isWhole = buffer.takeLine()
        guard buffer.frameLength - literalOctetCount <= limits.lineInOctets else {
            return refuseLine(isWhole: isWhole)
        }
        guard isWhole else { return nil }
        buffer.gather()
        let frame = buffer.frame
        var end = frame.count - 1
        if end > segmentStart, frame[frame.startIndex + end - 1] == ASCII.cr { end -= 1 }
        let line = frame.dropFirst(segmentStart).prefix(end - segmentStart)
        switch ResponseFramer.literalAnnouncement(in: line) {
        case .tooLarge:
            return refuse(
                .literalTooLarge(limit: limits.literalInOctets), literal: .max,
                isWaiting: line.isSynchronizing)
        case .size(let size, _): return beginLiteral(size, isSynchronizing: line.isSynchronizing)
        case .none: break
        }
        let command = ResponseFrame(octets: frame.prefix(end), detached: marks)
        startCommand(at: frame.count)
        return command.octets.isEmpty && !expectsAnswer ? nil : .command(command)
    }

    private mutating func beginLiteral(_ size: UInt64, isSynchronizing: Bool) -> Piece? {
        let limit =
            isSynchronizing
            ? limits.literalInOctets
            : min(limits.literalInOctets, limits.nonSynchronizingLiteralInOctets)
        if size > limit {
            return refuse(.literalTooLarge(limit: limit), literal: size, isWaiting: isSynchronizing)
        }
        if literalCount >= limits.literalCount {
            return refuse(
                .tooManyLiterals(limit: limits.literalCount), literal: size,
                isWaiting: isSynchronizing)
        }
        let isLarge = size > UInt64(clamping: limits.detachedLiteralInOctets)
        if !isLarge, size > UInt64(clamping: limits.literalsInMemoryInOctets - literalOctetCount) {
            return refuse(
                .literalsTooLarge(limit: limits.literalsInMemoryInOctets), literal: size,
                isWaiting: isSynchronizing)
        }
        literalCount += 1
        let mark = DetachedMark(index: marks.count, size: size, offset: buffer.frameLength)
        guard isLarge || isSynchronizing else {
            keepLiteral(size)
            return nil
        }
        let head = buffer.head(
            atMost: Self.headLimitInOctets, detached: isLarge ? marks + [mark] : marks)
        if isLarge {
            buffer.detach()
            marks.append(mark)
            state = .detached(size)
            announced = DetachedLiteral(index: mark.index, size: size, head: head)
        } else {
            keepLiteral(size)
        }
        return isSynchronizing ? .continuationDue(head, size: size) : nil
    }

    private mutating func keepLiteral(_ size: UInt64) {
        literalOctetCount += Int(size)
        if size == 0 { beginSegment() } else { state = .literal(Int(size)) }
    }

    private mutating func beginSegment() {
        state = .line
        segmentStart = buffer.frameLength
    }

    private mutating func startCommand(at start: Int) {
        buffer.startFrame(at: start)
        state = .line
        segmentStart = 0
        literalCount = 0
        literalOctetCount = 0
        if !marks.isEmpty { marks = [] }
        droppedCount = 0
    }

    // MARK: Refusing

    /// Passes over a command whose line is too long.
    private mutating func refuseLine(isWhole: Bool) -> Piece {
        // What is beyond the limit is dropped, however much of it has come.
        let dropped = buffer.frameLength - literalOctetCount - limits.lineInOctets
        let piece = refuse(.lineTooLong(limit: limits.lineInOctets), then: .droppingLine)
        droppedCount = UInt64(dropped)
        if isWhole { state = .droppedLineEnds }
        return piece
    }

    /// Passes over a command for a literal that is announced; one that the client waits to send does not come.
    private mutating func refuse(
        _ refusal: CommandRefusal, literal: UInt64, isWaiting: Bool
    ) -> Piece {
        refuse(refusal, then: isWaiting ? .line : .droppingLiteral(literal))
    }

    private mutating func refuse(_ refusal: CommandRefusal, then state: State) -> Piece {
        buffer.gather()
        let frame = buffer.frame
        let tag = frame.prefix(Self.tagLimitInOctets).prefix {
            $0 > ASCII.space && $0 != ASCII.del
        }
        droppedEnd = Array(frame.suffix(Self.announcementLimitInOctets))
        startCommand(at: frame.count)
        self.state = state
        return .refused(refusal, tag: Array(tag))
    }

    private mutating func dropLine() throws(EndlessCommand) {
        let isWhole = buffer.takeLine()
        let frame = buffer.frame
        try drop(UInt64(frame.count))
        droppedEnd += frame.suffix(Self.announcementLimitInOctets)
        droppedEnd.removeFirst(max(0, droppedEnd.count - Self.announcementLimitInOctets))
        buffer.startFrame(at: frame.count)
        if isWhole { state = .droppedLineEnds }
    }

    /// What comes behind a line of a refused command: a literal for which the client does not wait, or another command.
    private mutating func endDroppedLine() {
        var line = droppedEnd.dropLast()
        droppedEnd = []
        if line.last == ASCII.cr { line = line.dropLast() }
        guard !line.isSynchronizing else { return startCommand(at: 0) }
        switch ResponseFramer.literalAnnouncement(in: line) {
        case .none: startCommand(at: 0)
        case .size(let size, _): state = .droppingLiteral(size)
        // Nobody will ever see its end.
        case .tooLarge: state = .droppingLiteral(.max)
        }
    }

    private mutating func dropLiteral(_ count: UInt64) throws(EndlessCommand) {
        let octets = buffer.takeOutside(count)
        try drop(UInt64(octets.count))
        let rest = count - UInt64(octets.count)
        state = rest > 0 ? .droppingLiteral(rest) : .droppingLine
    }

    private mutating func drop(_ count: UInt64) throws(EndlessCommand) {
        droppedCount += count
        guard droppedCount <= limits.droppedInOctets else {
            throw EndlessCommand(limit: limits.droppedInOctets)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the literal that is announced at the end waits for `+`.
    fileprivate var isSynchronizing: Bool { dropLast().last != UInt8(ascii: "+") }
}
