import MartletBytes

/// Finds the parts of a message in one pass over its octets, without recursion and without copying.
///
/// Octets may come piece by piece: `scan` is called with all octets so far, goes as far as it can tell, and goes on
/// from there when it is called with more. The result does not depend on where the pieces end.
struct StructureScanner {
    /// What the lines that come next belong to.
    enum State {
        /// Nothing is known yet, not even how lines end.
        case start
        /// The header of the newest part.
        case header
        /// A body, or the text before, between and behind body parts: delimiters are looked for.
        case body
        /// The rest, where no delimiter can come.
        case rest
    }

    /// A part that is not at its end yet.
    struct OpenPart {
        var part: Int32
        var lastChild: Int32 = -1
        var isDigest = false
        /// The closing delimiter was there.
        var isClosed = false
        /// A line before the end of the header that was no field.
        var lastJunk: Int?
    }

    /// What is known of the header that is being read.
    struct HeaderProgress {
        var hasOpenField = false
        /// A line that is no field; what it is shows in the next.
        var junk: Range<Int>?
        /// Whether `junk` is more than one line.
        var isJunkFolded = false
        /// Behind the first of the empty lines that are all of the header so far.
        var emptyEnd: Int?
        /// The newest line, if it was no field.
        var lastJunk: Int?
        var isBeyondLimit = false
        /// The newest `Content-Type` behind the one that counts.
        var repeatedType: Int32?
        /// What the `Content-Type` says, as long as it was last read.
        var type: TypeReading?
    }

    /// What a `Content-Type` says of the structure.
    struct TypeReading {
        /// Which field it is, and where it ended when it was read: more lines may come.
        var field: Int32
        var end: Int
        var isReadable: Bool
        var container: ContainerType?
        /// Of a multipart; empty without one.
        var boundary: [UInt8] = []
    }

    /// How many octets are looked at to find out how lines end.
    private static let lineEndSample = 4_096

    let limits: MIMELimits
    var parts: [PartRecord] = []
    var fields: [FieldRecord] = []
    var defects: [PartDefect] = []

    var state = State.start
    /// The parts that are open, outermost first: containers, and the part whose header or body is being read.
    var open: [OpenPart] = []
    var boundaries = BoundaryStack()
    var header = HeaderProgress()
    var isBeyondPartCount = false
    /// Where the line starts that comes next.
    private(set) var position = 0
    /// No line end was found from `position` to here.
    private var searched = 0
    private(set) var lineEnd = ASCII.lf
    private var firstState = State.header

    /// A scanner for a message of its own, which becomes the first part.
    init(limits: MIMELimits) {
        self.limits = limits
        openRoot()
    }

    /// A scanner for the body of a container, which stands for the first part.
    init(limits: MIMELimits, inside type: ContainerType, boundary: [UInt8], depth: UInt16) {
        self.limits = limits
        openRoot()
        parts[0].depth = depth
        switch type {
        case .message:
            parts[0].kind = .message
            openChild(at: 0)
        case .multipart(let isDigest):
            parts[0].kind = .multipart
            open[0].isDigest = isDigest
            boundaries.push(boundary, level: 0)
            state = .body
        }
        firstState = state
        state = .start
    }

    private mutating func openRoot() {
        parts.append(PartRecord())
        open = [OpenPart(part: 0)]
    }

    // MARK: Lines

    /// Goes on with the octets that have come. The last call has all of them, and `isFinal`.
    mutating func scan(_ octets: UnsafeRawBufferPointer, isFinal: Bool) {
        if state == .start {
            guard isFinal || octets.count >= Self.lineEndSample else { return }
            let sample = octets.prefix(Self.lineEndSample)
            lineEnd = Self.lineEnd(of: UnsafeRawBufferPointer(rebasing: sample))
            state = firstState
        }
        repeat {
            var goesOn = true
            while goesOn, position < octets.count {
                switch state {
                case .header: goesOn = scanHeaderLine(octets, isFinal: isFinal)
                case .body: goesOn = scanBody(octets, isFinal: isFinal)
                case .rest, .start: advance(to: octets.count)
                }
            }
        } while isFinal && (finishHeader(octets) || !closeAll(octets))
    }

    /// Old Macintosh mail has only CRs. Whatever has one LF near its start is read by LFs.
    private static func lineEnd(of sample: UnsafeRawBufferPointer) -> UInt8 {
        sample.firstOffset(of: ASCII.lf) == nil && sample.firstOffset(of: ASCII.cr) != nil
            ? ASCII.cr : ASCII.lf
    }

    /// Behind the line end of the line at `position`; `nil` until it has come.
    mutating func nextLine(in octets: UnsafeRawBufferPointer, isFinal: Bool) -> Int? {
        if let end = octets.firstOffset(of: lineEnd, from: max(position, searched)) {
            return end + 1
        }
        searched = octets.count
        return isFinal ? octets.count : nil
    }

    /// Goes on to the next line that begins with a hyphen, or to the end; `false` until either has come.
    mutating func skipToHyphen(in octets: UnsafeRawBufferPointer, isFinal: Bool) -> Bool {
        // The last octet that was looked at may be the line end before it.
        let start = max(position, searched - 1)
        if let end = octets.firstOffset(of: lineEnd, before: ASCII.hyphen, from: start) {
            advance(to: end + 1)
            return true
        }
        searched = octets.count
        if isFinal { advance(to: octets.count) }
        return isFinal
    }

    /// The line without its line end: an LF and any CRs before it.
    @inline(__always)
    func content(of line: Range<Int>, in octets: UnsafeRawBufferPointer) -> Range<Int> {
        Self.content(of: line, in: octets, lineEnd: lineEnd)
    }

    /// Takes what it needs of the scanner by value: the scanner itself is large.
    private static func content(
        of line: Range<Int>, in octets: UnsafeRawBufferPointer, lineEnd: UInt8
    ) -> Range<Int> {
        var end = line.upperBound
        if end > line.lowerBound, octets[end - 1] == lineEnd { end -= 1 }
        while end > line.lowerBound, octets[end - 1] == ASCII.cr { end -= 1 }
        return line.lowerBound..<end
    }

    mutating func advance(to next: Int) {
        position = next
        searched = next
    }

    // MARK: Tables

    var top: Int { open.count - 1 }
    var current: Int { Int(open[open.count - 1].part) }

    /// Starts a part inside of the innermost open one, whose header begins at `start`.
    mutating func openChild(at start: Int) {
        let parent = current
        var child = PartRecord()
        child.parent = Int32(parent)
        child.depth = parts[parent].depth + 1
        child.start = start
        child.isInDigest = open[top].isDigest
        let index = Int32(parts.count)
        if open[top].lastChild >= 0 {
            let previous = Int(open[top].lastChild)
            parts[previous].nextSibling = index
            child.place = parts[previous].place + 1
        } else {
            parts[parent].firstChild = index
        }
        open[top].lastChild = index
        parts.append(child)
        open.append(OpenPart(part: index))
        header = HeaderProgress()
        state = .header
    }

    mutating func add(_ kind: Defect.Kind, at offset: Int, limit: String? = nil) {
        defects.add(Defect(kind, at: offset, limit: limit), to: open[top].part, limits)
    }
}
