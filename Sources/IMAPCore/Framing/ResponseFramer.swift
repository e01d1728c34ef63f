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

    var buffer = FrameBuffer()
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
    var readCount = 0
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
        buffer.append(octets)
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
            guard buffer.hasMore() else { return nil }
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
        !buffer.isEmpty || !ready.isEmpty || isInLiteral
    }

    /// The octets that no response has used, for whoever reads on in another way, such as a decompressor. The framer
    /// is empty then. Not for use within a literal.
    public mutating func takeBufferedOctets() -> [UInt8] {
        let octets = buffer.waiting()
        self = ResponseFramer(limits: limits, tagPrefix: String(decoding: tagPrefix, as: UTF8.self))
        return octets
    }

    /// The start of a response that is not complete, safe to print.
    public var excerpt: String { buffer.excerpt }

    // MARK: Frames

    /// Ends the frame at `end`; the octets from `next` on are those of the next.
    mutating func takeFrame(to end: Int, next: Int) -> ResponseFrame {
        let result = ResponseFrame(
            octets: buffer.frame.prefix(end), detached: marks, damage: isJoined ? .joinedLines : nil
        )
        readAgain(from: next)
        return result
    }

    /// Starts a new frame with the octets of this one from `start` on.
    mutating func readAgain(from start: Int) {
        readCount += start
        buffer.startFrame(at: start)
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
        literals.append(
            Literal(
                announcement: announcement, start: buffer.frameLength, size: size, depth: scan.depth
            ))
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
        let taken = buffer.take(count)
        if taken == count { beginLine() } else { state = .literal(count - taken) }
    }

    private mutating func detach(_ size: UInt64) -> FramedPiece {
        buffer.detach()
        let index = marks.count
        marks.append(DetachedMark(index: index, size: size, offset: buffer.frameLength))
        state = .detached(size)
        tail.removeAll()
        let head = buffer.head(atMost: Self.headLimitInOctets, detached: marks)
        return .literalBegins(DetachedLiteral(index: index, size: size, head: head))
    }

    private mutating func readDetached(_ count: UInt64) -> FramedPiece {
        let octets = buffer.takeOutside(count)
        readCount += octets.count
        let rest = count - UInt64(octets.count)
        state = rest > 0 ? .detached(rest) : .detachedEnds
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
        scan.beginSegment(at: buffer.frameLength)
    }
}
