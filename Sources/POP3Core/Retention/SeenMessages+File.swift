import MartletBytes

/// The file form: text, a line a message, with a checksum at the end.
///
///     martlet-seen 1
///     F 1796000000 1796086400 whqtswO00WBw418f9t5JxYwZ
///     A 1796000000 1796000000 QhdPYR:00WBw1Ph7x7
///     end 2 5F3A7C01
///
/// Write it with `AtomicFile`, which leaves the old file or the whole new one, after a crash too.
extension SeenMessages {
    /// Most octets of a file.
    public static let fileLimitInOctets = 256 << 20

    /// Why octets are no file of seen messages. What was read so far is not used: half a set would fetch the other half
    /// once more.
    public struct Damage: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line where it shows, from 1 on.
        public var line: Int
        /// What is wrong.
        public var reason: String

        /// What is wrong and what to do.
        public var description: String {
            "the list of seen messages is damaged in line \(line): \(reason). Nothing was fetched or deleted. Put back a copy of "
                + "the file, or read what is whole of it (what is missing is fetched once more), or start anew from what is on "
                + "the server."
        }
    }

    private static let head = "martlet-seen 1"

    /// The octets of a file.
    public var file: [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(entries.count * 64 + 64)
        octets += "\(Self.head)\n".utf8
        for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
            octets.append(entry.state.rawValue)
            octets += " \(entry.since) \(entry.lastListed) \(id)\n".utf8
        }
        let checksum = Self.checksum(octets[...])
        octets += "end \(entries.count) ".utf8
        octets += checksum
        octets.append(ASCII.lf)
        return octets
    }

    /// Reads a file.
    ///
    /// - Throws: `Damage` for anything but a whole file.
    public init(file octets: [UInt8]) throws(Damage) {
        self.init(try Self.read(octets, isStrict: true))
    }

    /// Reads the lines of a damaged file that are whole.
    ///
    /// What is missing counts as never met, so it is fetched once more; nothing is deleted for it.
    public init(salvaging octets: [UInt8]) {
        self.init((try? Self.read(octets, isStrict: false)) ?? [:])
    }

    private static func read(
        _ octets: [UInt8], isStrict: Bool
    ) throws(Damage) -> [UniqueID: Entry] {
        guard octets.count <= fileLimitInOctets else {
            throw Damage(line: 1, reason: "it has more than \(fileLimitInOctets) octets")
        }
        var entries: [UniqueID: Entry] = [:]
        var start = 0
        var number = 0
        while start < octets.count {
            number += 1
            let end = octets[start...].firstIndex(of: ASCII.lf)
            if end == nil, isStrict { throw Damage(line: number, reason: "it ends there") }
            let line = octets[start..<(end ?? octets.count)]
            if number == 1, isStrict {
                guard line.elementsEqual(head.utf8) else {
                    throw Damage(line: 1, reason: "it does not begin with \"\(head)\"")
                }
            } else if isStrict, line.starts(with: "end ".utf8) {
                guard line.elementsEqual(endLine(entries.count, octets[..<start])) else {
                    throw Damage(line: number, reason: "the number or the checksum is not right")
                }
                guard end == octets.count - 1 else {
                    throw Damage(line: number + 1, reason: "something stands behind the end")
                }
                return entries
            } else if let (id, entry) = entry(line) {
                guard entries.updateValue(entry, forKey: id) == nil || !isStrict else {
                    throw Damage(line: number, reason: "a message stands there twice")
                }
                guard entries.count <= countLimit else {
                    throw Damage(
                        line: number, reason: "there are more than \(countLimit) messages")
                }
            } else if isStrict {
                throw Damage(line: number, reason: "that is no message")
            }
            start = (end ?? octets.count) + 1
        }
        if isStrict { throw Damage(line: number + 1, reason: "its end is missing") }
        return entries
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> (UniqueID, Entry)? {
        let words = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
        guard words.count == 4, words[0].count == 1, let first = words[0].first,
            let state = Entry.State(rawValue: first), let since = time(words[1]),
            let lastListed = time(words[2]), let id = UniqueID(words[3])
        else { return nil }
        return (id, Entry(state, since: since, lastListed: lastListed))
    }

    private static func time(_ word: ArraySlice<UInt8>) -> Int64? {
        guard word.count <= 20 else { return nil }
        return Int64(String(decoding: word, as: UTF8.self))
    }

    private static func endLine(_ count: Int, _ octets: ArraySlice<UInt8>) -> [UInt8] {
        Array("end \(count) ".utf8) + checksum(octets)
    }

    private static func checksum(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        var sum = CRC32()
        octets.withUnsafeBytes { sum.update(with: $0) }
        var digits: [UInt8] = []
        for shift in [24, 16, 8, 0] as [UInt32] {
            Hex.append(UInt8(truncatingIfNeeded: sum.value >> shift), to: &digits)
        }
        return digits
    }
}
