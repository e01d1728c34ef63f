import MartletBytes

/// Puts a body in canonical form, piece by piece. RFC 6376 §3.4.3, §3.4.4.
///
/// CRLF and a bare LF end lines. Where the pieces end makes no difference. What need not be changed is handed on as it
/// lies in the piece; whatever may have to go (blanks before a line end, empty lines at the end) is held as a count.
struct BodyCanonicalizer {
    private let isRelaxed: Bool
    private let bareCR: BareCR
    /// Line ends that are not handed on yet: all that follow may be the last.
    private var lineEnds = 0
    /// Blanks were there that are not handed on yet (relaxed only).
    private var hasBlank = false
    /// A CR was there; what it is shows in the next octet.
    private var hasCR = false
    private var isEmpty = true

    init(_ canonicalization: Canonicalization, bareCR: BareCR) {
        isRelaxed = canonicalization == .relaxed
        self.bareCR = bareCR
    }

    /// Nothing is held, so that octets can be handed on as they are.
    private var isClear: Bool { lineEnds == 0 && !hasBlank && !hasCR }

    /// Takes the octets that come next.
    mutating func add(_ octets: UnsafeRawBufferPointer, to sink: inout some CanonicalSink) {
        var index = 0
        while index < octets.count {
            // The octet before and the one behind are looked at as well.
            if isClear, index > 0, index < octets.count &- 1 {
                let end = plainEnd(in: octets, from: index)
                if end > index {
                    sink.take(UnsafeRawBufferPointer(rebasing: octets[index..<end]))
                    isEmpty = false
                    index = end
                    continue
                }
            }
            add(octets[index], to: &sink)
            index &+= 1
        }
    }

    /// The body is complete.
    mutating func finish(to sink: inout some CanonicalSink) {
        if hasCR {
            hasCR = false
            endOrKeepCR(&sink)
        }
        // A body that is not empty ends with one line end; an empty one is one line end if simple, nothing if relaxed.
        if !isEmpty || !isRelaxed { Self.take(lineEnds: 1, &sink) }
    }

    // MARK: One octet

    @inline(__always)
    private mutating func add(_ octet: UInt8, to sink: inout some CanonicalSink) {
        if hasCR {
            hasCR = false
            if octet == ASCII.lf {
                endLine()
                return
            }
            endOrKeepCR(&sink)
        }
        switch octet {
        case ASCII.lf: endLine()
        case ASCII.cr: hasCR = true
        case ASCII.space, ASCII.tab:
            if isRelaxed { hasBlank = true } else { takeContent(octet, &sink) }
        default: takeContent(octet, &sink)
        }
    }

    @inline(__always)
    private mutating func endLine() {
        hasBlank = false
        lineEnds &+= 1
    }

    private mutating func endOrKeepCR(_ sink: inout some CanonicalSink) {
        switch bareCR {
        case .lineEnd: endLine()
        case .content: takeContent(ASCII.cr, &sink)
        }
    }

    @inline(__always)
    private mutating func takeContent(_ octet: UInt8, _ sink: inout some CanonicalSink) {
        if lineEnds > 0 {
            Self.take(lineEnds: lineEnds, &sink)
            lineEnds = 0
        }
        if hasBlank {
            sink.take(ASCII.space)
            hasBlank = false
        }
        sink.take(octet)
        isEmpty = false
    }

    private static let manyLineEnds = [UInt8]((0..<2_048).map { $0 & 1 == 0 ? ASCII.cr : ASCII.lf })

    private static func take(lineEnds: Int, _ sink: inout some CanonicalSink) {
        if lineEnds == 1 {
            sink.take(ASCII.cr)
            sink.take(ASCII.lf)
            return
        }
        manyLineEnds.withUnsafeBytes { octets in
            var rest = lineEnds &* 2
            while rest > 0 {
                let count = min(rest, octets.count)
                sink.take(UnsafeRawBufferPointer(rebasing: octets[..<count]))
                rest &-= count
            }
        }
    }

    // MARK: Runs

    private typealias Vector = SIMD16<UInt8>

    /// Behind the octets from `start` that can be handed on as they are; `start` if the one there cannot.
    ///
    /// Nothing is held at `start`, and there is an octet before it and one behind it.
    private func plainEnd(in octets: UnsafeRawBufferPointer, from start: Int) -> Int {
        let end = firstChange(in: octets, from: start)
        guard end > start else { return start }
        // A line end before the change may be the last one, so that it is held. It is a CRLF behind `start`, whole or
        // up to here, since every other line end is a change itself.
        return switch octets[end &- 1] {
        case ASCII.lf: end &- 2
        case ASCII.cr: end &- 1
        default: end
        }
    }

    private func firstChange(in octets: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = octets.baseAddress else { return start }
        precondition(start > 0 && start < octets.count)
        var index = start
        // Reads the octets from `index - 1` to `index + 16`.
        while index &+ Vector.scalarCount < octets.count {
            if isRelaxed ? Self.changesRelaxed(base + index) : Self.changesSimple(base + index) {
                break
            }
            index &+= Vector.scalarCount
        }
        // Reads the octets from `index - 1` to `index + 1`. The last octet of the piece stays for later.
        while index &+ 1 < octets.count {
            let (octet, next) = (octets[index], octets[index &+ 1])
            switch octet {
            case ASCII.lf:
                if octets[index &- 1] != ASCII.cr || next == ASCII.cr || next == ASCII.lf {
                    return index
                }
            case ASCII.cr:
                if next != ASCII.lf { return index }
            case ASCII.tab:
                if isRelaxed { return index }
            case ASCII.space:
                if isRelaxed, next <= ASCII.space { return index }
            default: break
            }
            index &+= 1
        }
        return index
    }

    /// Whether any of 16 octets may not be handed on as it is: a line end that is not CRLF, or before an empty line.
    @inline(__always)
    private static func changesSimple(_ octets: UnsafeRawPointer) -> Bool {
        let before = (octets - 1).loadUnaligned(as: Vector.self)
        let here = octets.loadUnaligned(as: Vector.self)
        let next = (octets + 1).loadUnaligned(as: Vector.self)
        return isAny(lineEndChanges(before, here, next))
    }

    /// The same, or a tab, or a space before a blank or line end.
    @inline(__always)
    private static func changesRelaxed(_ octets: UnsafeRawPointer) -> Bool {
        let before = (octets - 1).loadUnaligned(as: Vector.self)
        let here = octets.loadUnaligned(as: Vector.self)
        let next = (octets + 1).loadUnaligned(as: Vector.self)
        let blanks = (here .== ASCII.tab) .| ((here .== ASCII.space) .& (next .<= ASCII.space))
        return isAny(lineEndChanges(before, here, next) .| blanks)
    }

    @inline(__always)
    private static func lineEndChanges(
        _ before: Vector, _ here: Vector, _ next: Vector
    ) -> SIMDMask<SIMD16<Int8>> {
        let isLF = here .== ASCII.lf
        let isOdd = (before .!= ASCII.cr) .| (next .== ASCII.cr) .| (next .== ASCII.lf)
        return (isLF .& isOdd) .| ((here .== ASCII.cr) .& (next .!= ASCII.lf))
    }

    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words.x | words.y != 0
    }
}
