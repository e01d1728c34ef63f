import MartletBytes

/// The octets that have come, and the frame that is being put together of them. Each octet is copied once at most: only
/// where its frame does not lie whole in one piece of input.
struct FrameBuffer: Sendable {
    // The piece that is being read, and those behind it.
    private(set) var chunk: [UInt8] = []
    private var queue: [[UInt8]] = []
    private var queueStart = 0
    /// Behind the last octet of `chunk` that was looked at.
    private(set) var position = 0
    // The frame so far is `pending` and `chunk[frameStart..<position]`.
    private(set) var pending: [UInt8] = []
    private var frameStart = 0

    /// Takes octets as they come.
    mutating func append(_ octets: [UInt8]) {
        if queueStart < queue.count, queue[queue.count - 1].count < 4_096, octets.count < 4_096 {
            queue[queue.count - 1] += octets
        } else if !octets.isEmpty {
            queue.append(octets)
        }
    }

    /// How many octets the frame has so far.
    var frameLength: Int { pending.count + position - frameStart }

    /// Whether no octets wait, neither in the frame nor behind it.
    var isEmpty: Bool { frameLength == 0 && position == chunk.count && queueStart == queue.count }

    /// Whether there is an octet to look at. What the frame has of the last piece is kept.
    mutating func hasMore() -> Bool {
        if position < chunk.count { return true }
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

    /// Adds octets to the frame, up to a line end if there is one.
    mutating func takeLine() -> Bool {
        let range = position..<chunk.count
        guard let lineEnd = chunk.withUnsafeBytes({ $0.firstOffset(of: ASCII.lf, in: range) })
        else {
            position = chunk.count
            return false
        }
        position = lineEnd + 1
        return true
    }

    /// Adds `count` octets to the frame, or as many as there are in this piece; gives their number.
    mutating func take(_ count: Int) -> Int {
        let taken = min(count, chunk.count - position)
        position += taken
        return taken
    }

    /// Takes octets out that are not to be in the frame; `detach` was called before.
    mutating func takeOutside(_ count: UInt64) -> ArraySlice<UInt8> {
        let taken = Int(min(count, UInt64(chunk.count - position)))
        let octets = chunk[position..<position + taken]
        position += taken
        frameStart = position
        return octets
    }

    /// Puts the frame so far apart from the piece that is being read.
    mutating func detach() {
        if pending.isEmpty { pending = Array(chunk[frameStart..<position]) } else { gather() }
        frameStart = position
    }

    /// Has the whole frame in one place.
    mutating func gather() {
        guard !pending.isEmpty, frameStart < position else { return }
        pending += chunk[frameStart..<position]
        frameStart = position
    }

    /// Takes the last octet of the frame back, which was the last that was looked at.
    mutating func takeBack() {
        position -= 1
        guard !pending.isEmpty else { return }
        pending.removeLast()
        frameStart = position
    }

    /// The frame so far; after `gather`.
    var frame: ArraySlice<UInt8> {
        pending.isEmpty ? chunk[frameStart..<position] : pending[...]
    }

    /// A copy of the frame that ends where the last of `detached` is; of a long one the start and the end.
    func head(atMost limit: Int, detached: [DetachedMark]) -> ResponseFrame {
        let frame = self.frame
        guard frame.count > limit, var mark = detached.last else {
            // Not in the memory that the frame goes on in.
            return ResponseFrame(octets: frame.map { $0 }[...], detached: detached)
        }
        let octets = Array(frame.prefix(limit / 2) + frame.suffix(limit / 2))
        mark.offset = octets.count
        return ResponseFrame(octets: octets[...], detached: [mark])
    }

    /// Whether the frame begins with two octets such as these, as far as this piece tells.
    func frameBegins(_ test: (UInt8, UInt8) -> Bool) -> Bool {
        guard pending.isEmpty, frameStart + 1 < chunk.count else { return false }
        return test(chunk[frameStart], chunk[frameStart + 1])
    }

    /// Starts a new frame with the octets of this one from `start` on, which are read again.
    mutating func startFrame(at start: Int) {
        guard !pending.isEmpty else {
            frameStart += start
            position = frameStart
            return
        }
        if start < pending.count {
            chunk = Array(pending[start...] + chunk[frameStart...])
            position = 0
        }
        frameStart = position
        pending = []
    }

    /// Puts `octets` in place of the frame.
    mutating func replaceFrame(with octets: [UInt8]) {
        pending = octets
        frameStart = position
    }

    /// All octets that wait.
    func waiting() -> [UInt8] {
        var octets = pending
        octets += chunk[frameStart...]
        for other in queue[queueStart...] { octets += other }
        return octets
    }

    /// The start of the frame, safe to print.
    var excerpt: String {
        let shown = 64
        let octets = pending.prefix(shown + 1) + chunk[frameStart..<position].prefix(shown + 1)
        let text = octets.prefix(shown).map { $0 < 0x20 || $0 >= 0x7F ? UInt8(0x3F) : $0 }
        return String(decoding: text, as: UTF8.self) + (octets.count > shown ? "…" : "")
    }
}
