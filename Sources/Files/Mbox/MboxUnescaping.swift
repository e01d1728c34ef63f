public import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension MboxVariant {
    /// A message of an mbox without the `>` that this variant puts before lines.
    ///
    /// In `mboxo` and `mboxcl`, each line `>From ` loses it, also one that had it before. Octets in which
    /// there is nothing to change are not copied.
    public func unescaped(_ octets: Octets) -> Octets {
        guard self != .mboxcl2 else { return octets }
        let places = octets.withUnsafeBytes { escapes(in: $0) }
        guard let last = places.last else { return octets }
        let message = octets.withUnsafeBytes { octets in
            var message: [UInt8] = []
            message.reserveCapacity(octets.count - places.count)
            var start = 0
            for place in places {
                message.append(contentsOf: octets[start..<place])
                start = place + 1
            }
            message.append(contentsOf: octets[(last + 1)...])
            return message
        }
        return Octets(message)
    }

    /// Where a `>` stands that was put in.
    private func escapes(in octets: UnsafeRawBufferPointer) -> [Int] {
        guard let base = octets.baseAddress else { return [] }
        var places: [Int] = []
        var place = 0
        // In bounds: `place` and `end` are at most `octets.count`, and octets are read below it only.
        while place < octets.count {
            if octets[place] == ASCII.greater {
                var end = place + 1
                if self == .mboxrd {
                    while end < octets.count, octets[end] == ASCII.greater { end += 1 }
                }
                if MboxSeparatorLine.hasPrefix(octets, at: end) { places.append(place) }
                place = end
            }
            guard place < octets.count,
                let hit = memchr(base + place, Int32(ASCII.lf), octets.count - place)
            else { break }
            place = base.distance(to: UnsafeRawPointer(hit)) + 1
        }
        return places
    }
}
