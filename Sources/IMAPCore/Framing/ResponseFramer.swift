import MartletBytes

/// Finds whole responses in what a server sends, however it is cut. Linear in the octets. RFC 9051 §2.2.2, §4.3.
///
///     framer.append(octets)
///     while let piece = try framer.next() { … }
///
/// Lines of `* OK`, `* NO`, `* BAD`, `* BYE`, `* PREAUTH`, tagged lines and `+` never hold literals: their text may end
/// with `{5}`. Tolerated: a bare LF as line end, empty lines between responses, NUL.
public struct ResponseFramer: Sendable {
    /// Octets of a response that `DetachedLiteral.head` shows at most: of a longer one the start and the end.
    static let headLimitInOctets = 64 * 1024
    /// Octets of a detached literal that are kept to find a response in, should fewer have come than announced.
    static let tailLimitInOctets = 64 * 1024

    enum State {
        /// Within a line. Next: any.
        case line
        /// Behind a line within which a quoted string is open: what comes next says whether it goes on. Next: `line`.
        case lookahead
        /// Within a literal of which so many octets are missing. Next: `line`.
        case literal(Int)
        /// Within a literal that is handed on. Next: `detachedEnds`.
        case detached(UInt64)
        /// Behind it. Next: `line`.
        case detachedEnds
    }

    /// A literal in the frame.
    struct Literal {
        /// Where its `{` is, counted from the start of the frame; that of `~{` counts as well.
        var announcement: Int
        /// Where its octets begin.
        var start: Int
        /// How many were announced.
        var size: UInt64
        /// How many parentheses are open around it.
        var depth: Int
    }

    let limits: IMAPLimits
    let tagPrefix: [UInt8]

    // What has come: the piece that is being read, and those behind it.
    var chunk: [UInt8] = []
    var queue: [[UInt8]] = []
    var queueStart = 0
    // Behind the last octet of `chunk` that was looked at.
    var position = 0
    // The frame so far is `pending` and `chunk[frameStart..<position]`.
    var pending: [UInt8] = []
    var frameStart = 0
    var state = State.line

    // Of the frame: what its first line says, literals, and how far its lines are scanned.
    var kind = Kind.status
    var literals: [Literal] = []
    var literalOctetCount = 0
    var marks: [DetachedMark] = []
    var scan = LineScan()
    var isJoined = false
    // The end of the last detached literal, and what a recovered frame lost of it.
    var tail: [UInt8] = []
    var ready: [FramedPiece] = []
    // So that octets are not read again and again.
    var receivedCount = 0
    var rereadCount = 0

    /// Makes a framer at the start of a response.
    ///
    /// - Parameter tagPrefix: what the client's tags begin with, before their digits; empty for any tag. It tells lost
    ///   responses from text.
    public init(limits: IMAPLimits = .standard, tagPrefix: String = "") {
        self.limits = limits
        self.tagPrefix = Array(tagPrefix.utf8)
    }

    /// Takes octets as they come.
    public mutating func append(_ octets: [UInt8]) {
        guard !octets.isEmpty else { return }
        receivedCount += octets.count
        if queueStart < queue.count, queue[queue.count - 1].count < 4_096, octets.count < 4_096 {
            queue[queue.count - 1] += octets
        } else {
            queue.append(octets)
        }
    }

    /// The next piece, `nil` when more octets are needed.
    ///
    /// - Throws: `FramingError`; the framer is of no more use then.
    public mutating func next() throws(FramingError) -> FramedPiece? {
        while true {
            if !ready.isEmpty { return ready.removeFirst() }
            if case .detachedEnds = state {
                beginLine()
                return .literalEnds
            }
            guard position < chunk.count || nextChunk() else { return nil }
            switch state {
            case .line: if let piece = try readLine() { return piece }
            case .lookahead: if let piece = readLookahead() { return piece }
            case .literal(let count): readLiteral(count)
            case .detached(let count): return readDetached(count)
            case .detachedEnds: break
            }
        }
    }

    /// Whether a literal has begun whose octets have not all come, or a line may go on. A session whose patience ends
    /// then may call `recoverShortLiteral`.
    public var isInLiteral: Bool {
        if case .line = state { return false }
        return true
    }

    /// Whether octets wait that no response has used.
    public var hasBufferedOctets: Bool {
        frameLength > 0 || position < chunk.count || queueStart < queue.count || !ready.isEmpty
            || isInLiteral
    }

    /// The octets that no response has used, for whoever reads on in another way, such as a decompressor. The framer
    /// is empty then. Not for use within a literal.
    public mutating func takeBufferedOctets() -> [UInt8] {
        var octets = pending
        octets += chunk[frameStart...]
        for other in queue[queueStart...] { octets += other }
        self = ResponseFramer(limits: limits, tagPrefix: String(decoding: tagPrefix, as: UTF8.self))
        return octets
    }

    /// The start of a response that is not complete, safe to print.
    public var excerpt: String {
        let shown = 64
        let octets = pending.prefix(shown + 1) + chunk[frameStart..<position].prefix(shown + 1)
        let text = octets.prefix(shown).map { $0 < 0x20 || $0 >= 0x7F ? UInt8(0x3F) : $0 }
        return String(decoding: text, as: UTF8.self) + (octets.count > shown ? "…" : "")
    }

    // MARK: Pieces of input

    /// How many octets the frame has so far.
    var frameLength: Int { pending.count + position - frameStart }

    /// Goes on to the next piece that has come; what the frame has of the last one is kept.
    mutating func nextChunk() -> Bool {
        if frameStart < chunk.count {
            if pending.isEmpty, frameStart == 0 {
                pending = chunk
            } else {
                pending += chunk[frameStart...]
            }
        }
        position = 0
        frameStart = 0
        guard queueStart < queue.count else {
            chunk = []
            return false
        }
        chunk = queue[queueStart]
        queue[queueStart] = []
        queueStart += 1
        if queueStart == queue.count {
            queue.removeAll(keepingCapacity: true)
            queueStart = 0
        }
        return true
    }

    /// Has the whole frame in one place: `pending`, unless all of it is in `chunk`.
    mutating func gather() {
        guard !pending.isEmpty, frameStart < position else { return }
        pending += chunk[frameStart..<position]
        frameStart = position
    }

    /// The frame so far; after `gather`.
    var frame: ArraySlice<UInt8> {
        pending.isEmpty ? chunk[frameStart..<position] : pending[...]
    }

    /// Ends the frame at `end`; the octets from `next` on are those of the next.
    mutating func takeFrame(to end: Int, next: Int) -> ResponseFrame {
        let octets: ArraySlice<UInt8>
        if pending.isEmpty {
            octets = chunk[frameStart..<frameStart + end]
        } else {
            octets = pending[..<end]
        }
        let result = ResponseFrame(
            octets: octets, detached: marks, damage: isJoined ? .joinedLines : nil)
        readAgain(from: next)
        return result
    }

    /// Starts a new frame with the octets of this one from `start` on.
    mutating func readAgain(from start: Int) {
        if pending.isEmpty {
            frameStart += start
            position = frameStart
        } else {
            if start < pending.count {
                let rest = pending[start...] + chunk[frameStart...]
                chunk = Array(rest)
                position = 0
            }
            frameStart = position
            pending = []
        }
        state = .line
        kind = .status
        if literalOctetCount > 0 || !literals.isEmpty {
            literals.removeAll(keepingCapacity: true)
            literalOctetCount = 0
        }
        if !marks.isEmpty { marks = [] }
        scan = LineScan()
        isJoined = false
        if !tail.isEmpty { tail = [] }
    }

    // MARK: Literals

    /// Begins a literal that was announced at the end of a line.
    mutating func beginLiteral(
        announcedAt announcement: Int, size: UInt64
    ) throws(FramingError) -> FramedPiece? {
        guard size <= limits.literalInOctets else {
            throw .literalTooLarge(limit: limits.literalInOctets)
        }
        guard literals.count < limits.literalCount else {
            throw .tooManyLiterals(limit: limits.literalCount)
        }
        literals.append(Literal(announcement: announcement, start: frameLength, size: size, depth: scan.depth))
        let isLarge = size > UInt64(clamping: limits.detachedLiteralInOctets)
        let room = limits.literalsInMemoryInOctets - literalOctetCount
        if isLarge || size > UInt64(clamping: room) {
            guard isLarge || size > UInt64(Self.headLimitInOctets) else {
                throw .literalsTooLarge(limit: limits.literalsInMemoryInOctets)
            }
            return detach(size)
        }
        let count = Int(size)
        literalOctetCount += count
        if count == 0 { beginLine() } else { state = .literal(count) }
        return nil
    }

    private mutating func readLiteral(_ count: Int) {
        let taken = min(count, chunk.count - position)
        position += taken
        if taken == count { beginLine() } else { state = .literal(count - taken) }
    }

    private mutating func detach(_ size: UInt64) -> FramedPiece {
        if pending.isEmpty { pending = Array(chunk[frameStart..<position]) }
        frameStart = position
        let index = marks.count
        marks.append(DetachedMark(index: index, size: size, offset: pending.count))
        state = .detached(size)
        tail.removeAll()
        // Not in the memory that the frame goes on in.
        let head: ResponseFrame
        if pending.count <= Self.headLimitInOctets {
            head = ResponseFrame(octets: pending.map { $0 }[...], detached: marks)
        } else {
            let half = Self.headLimitInOctets / 2
            let octets = Array(pending.prefix(half)) + Array(pending.suffix(half))
            let mark = DetachedMark(index: index, size: size, offset: octets.count)
            head = ResponseFrame(octets: octets[...], detached: [mark])
        }
        return .literalBegins(DetachedLiteral(index: index, size: size, head: head))
    }

    private mutating func readDetached(_ count: UInt64) -> FramedPiece {
        let taken = Int(min(count, UInt64(chunk.count - position)))
        let octets = chunk[position..<position + taken]
        position += taken
        frameStart = position
        state = count > UInt64(taken) ? .detached(count - UInt64(taken)) : .detachedEnds
        keepTail(octets)
        return .literalOctets(octets)
    }

    private mutating func keepTail(_ octets: ArraySlice<UInt8>) {
        let limit = Self.tailLimitInOctets
        if octets.count >= limit {
            tail = Array(octets.suffix(limit))
        } else {
            tail += octets
            if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
        }
    }

    private mutating func beginLine() {
        state = .line
        scan.beginSegment(at: frameLength)
    }
}
