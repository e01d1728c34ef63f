/// The UTF-8 that a decoder writes, and what it could not read.
///
/// All that is written is whole, valid characters: that is the promise by which ``string`` need not look
/// at them again.
struct UTF8Output: ~Copyable {
    private var octets: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    private(set) var malformedCount = 0
    private(set) var firstMalformedOffset: Int?

    /// Octets beyond what was reserved that may be overwritten, so that a word can be stored at the end.
    static let slack = 32

    /// Memory for at least `capacity` octets; it grows.
    init(capacity: Int) {
        self.capacity = max(capacity, OutputMemory.size) - Self.slack
        octets = OutputMemory.take(self.capacity + Self.slack)
    }

    deinit { OutputMemory.giveBack(octets, capacity + Self.slack) }

    /// Makes room for `room` more octets and calls `write` with where they go.
    ///
    /// `write` moves the pointer by at most `room`, and stores at most ``slack`` octets beyond that.
    @inline(__always)
    mutating func write(atMost room: Int, _ write: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        reserve(room)
        var end = octets + count
        write(&end)
        let newCount = end - octets
        precondition(newCount >= count && newCount <= capacity)
        count = newCount
    }

    /// Writes one character.
    mutating func append(_ scalar: Unicode.Scalar) { append(packed: PackedUTF8.pack(scalar)) }

    /// Writes one character. U+0000 is zero and written as well.
    @inline(__always)
    mutating func append(packed entry: UInt32) {
        reserve(4)
        UnsafeMutableRawPointer(octets + count).storeBytes(of: entry.littleEndian, as: UInt32.self)
        count &+= entry == 0 ? 1 : PackedUTF8.count(of: entry)
    }

    /// Copies octets that are valid UTF-8.
    mutating func append(_ valid: UnsafeRawBufferPointer) {
        guard let source = valid.baseAddress else { return }
        reserve(valid.count)
        UnsafeMutableRawPointer(octets + count).copyMemory(from: source, byteCount: valid.count)
        count += valid.count
    }

    /// Writes U+FFFD for something at `offset` of the input that is no character.
    mutating func appendReplacement(at offset: Int) {
        countMalformed(at: offset)
        append(packed: 0xBD_BFEF)
    }

    /// Notes something at `offset` of the input that is not as it should be.
    mutating func countMalformed(at offset: Int) {
        malformedCount += 1
        if firstMalformedOffset == nil { firstMalformedOffset = offset }
    }

    @inline(__always)
    private mutating func reserve(_ room: Int) {
        if capacity &- count < room { grow(by: room) }
    }

    @inline(never)
    private mutating func grow(by room: Int) {
        let newCapacity = max(capacity * 2, count + room)
        let larger = OutputMemory.take(newCapacity + Self.slack)
        larger.update(from: octets, count: count)
        OutputMemory.giveBack(octets, capacity + Self.slack)
        (octets, capacity) = (larger, newCapacity)
    }

    /// What was written.
    borrowing func string() -> String {
        String(knownUTF8: UnsafeBufferPointer(start: octets, count: count))
    }

    /// Adds what was written to an array.
    borrowing func append(to array: inout [UInt8]) {
        array.append(contentsOf: UnsafeBufferPointer(start: octets, count: count))
    }
}

extension String {
    /// A string of octets that are known to be valid UTF-8.
    init(knownUTF8 octets: UnsafeBufferPointer<UInt8>, isASCII: Bool = false) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self.init(copying: UTF8Span(unchecked: octets.span, isKnownASCII: isASCII))
        } else {
            self.init(decoding: octets, as: UTF8.self)
        }
    }
}
