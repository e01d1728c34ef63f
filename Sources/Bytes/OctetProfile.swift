/// What one fast pass over octets tells about how they may travel: 8-bit octets, NULs, line ends,
/// line lengths, dots at line starts.
///
/// Feed it piece by piece; the pieces' borders make no difference. CRLF, a bare CR and a bare LF all
/// end a line, as they do once the octets are written in canonical form.
///
///     var profile = OctetProfile()
///     profile.add(chunk)
///     if profile.has8Bit { … }
public struct OctetProfile: Sendable, Hashable {
    /// The number of octets seen.
    public private(set) var sizeInOctets = 0
    /// The number of CR LF pairs.
    public private(set) var crlfCount = 0
    /// The number of LFs without a CR before them.
    public private(set) var bareLFCount = 0
    /// The number of lines that start with ".", each of which SMTP makes one octet longer.
    /// RFC 5321 §4.5.2.
    public private(set) var dotLineCount = 0
    /// Whether a NUL was seen. RFC 5322 forbids it everywhere.
    public private(set) var hasNUL = false

    private var everyOctet: UInt64 = 0
    private var crCount = 0
    private var longestEndedLine = 0
    private var lineStart = 0
    private var newestCR = -1

    /// Nothing seen yet.
    public init() {}

    /// Looks at all of `octets`.
    public init(_ octets: some Collection<UInt8>) { add(octets) }

    /// Reads all of `source` and looks at it. Blocks on files as their reader does.
    ///
    /// - Throws: what the source's reader throws.
    public init(reading source: any OctetSource) async throws {
        try await source.forEachPiece(atMost: Self.pieceLimit) { add($0) }
    }

    private static let pieceLimit = 1 << 18

    /// Whether an octet above 127 was seen.
    public var has8Bit: Bool { everyOctet & Self.highBits != 0 }
    /// The number of CRs that no LF follows (a CR at the very end counts until more comes).
    public var bareCRCount: Int { crCount - crlfCount }
    /// Whether a CR stands without its LF.
    public var hasBareCR: Bool { bareCRCount > 0 }
    /// Whether an LF stands without its CR.
    public var hasBareLF: Bool { bareLFCount > 0 }
    /// Whether a line starts with ".".
    public var needsDotStuffing: Bool { dotLineCount > 0 }
    /// The longest line in octets, its line end not counted.
    public var longestLineInOctets: Int { max(longestEndedLine, sizeInOctets - lineStart) }
    /// Whether the octets end with a line end (or there are none).
    public var endsLine: Bool { lineStart == sizeInOctets }
    /// The size once every line end is CRLF and the last line has one. Dots are not doubled here:
    /// add `dotLineCount` for that.
    public var canonicalSizeInOctets: Int {
        sizeInOctets + bareCRCount + bareLFCount + (endsLine ? 0 : 2)
    }

    /// Looks at the next octets.
    public mutating func add(_ octets: some Collection<UInt8>) {
        octets.withUnsafeOctets { scan($0) }
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    // Added to an octet of 7 bits, it carries into the high bit exactly from 0x0E on.
    private static let above0D: UInt64 = 0x7272_7272_7272_7272

    /// Marks, by their high bits, the octets below 0x0E of a word: NUL, LF, CR and a few others.
    @inline(__always)
    private static func lowOctets(_ word: UInt64) -> UInt64 {
        ~(((word & lowBits) &+ above0D) | word) & highBits
    }

    private mutating func scan(_ octets: UnsafeRawBufferPointer) {
        guard octets.count > 0 else { return }
        if endsLine, octets[0] == ASCII.dot { dotLineCount += 1 }
        var seen: UInt64 = 0
        var offset = 0
        while offset &+ 32 <= octets.count {
            let first = Self.word(octets, offset)
            let second = Self.word(octets, offset &+ 8)
            let third = Self.word(octets, offset &+ 16)
            let fourth = Self.word(octets, offset &+ 24)
            seen |= first | second | third | fourth
            let hits = (
                Self.lowOctets(first), Self.lowOctets(second), Self.lowOctets(third),
                Self.lowOctets(fourth)
            )
            if hits.0 | hits.1 | hits.2 | hits.3 != 0 {
                visit(hits.0, of: octets, at: offset)
                visit(hits.1, of: octets, at: offset &+ 8)
                visit(hits.2, of: octets, at: offset &+ 16)
                visit(hits.3, of: octets, at: offset &+ 24)
            }
            offset &+= 32
        }
        while offset < octets.count {
            let octet = octets[offset]
            seen |= UInt64(octet)
            if octet < 0x0E { visitLow(octet, of: octets, at: offset) }
            offset &+= 1
        }
        everyOctet |= seen
        sizeInOctets += octets.count
    }

    @inline(__always)
    private static func word(_ octets: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: octets.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private mutating func visit(
        _ marks: UInt64, of octets: UnsafeRawBufferPointer, at offset: Int
    ) {
        var marks = marks
        while marks != 0 {
            let index = offset &+ marks.trailingZeroBitCount &>> 3
            visitLow(octets[index], of: octets, at: index)
            marks &= marks &- 1
        }
    }

    @inline(__always)
    private mutating func visitLow(
        _ octet: UInt8, of octets: UnsafeRawBufferPointer, at index: Int
    ) {
        let position = sizeInOctets &+ index
        switch octet {
        case ASCII.cr:
            crCount &+= 1
            newestCR = position
            longestEndedLine = max(longestEndedLine, position &- lineStart)
        case ASCII.lf where newestCR == position &- 1 && position > 0:
            crlfCount &+= 1
        case ASCII.lf:
            bareLFCount &+= 1
            longestEndedLine = max(longestEndedLine, position &- lineStart)
        case ASCII.nul:
            hasNUL = true
            return
        default:
            return
        }
        lineStart = position &+ 1
        if index &+ 1 < octets.count, octets[index &+ 1] == ASCII.dot { dotLineCount &+= 1 }
    }
}
