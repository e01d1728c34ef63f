public import MartletBytes

extension MboxVariant {
    /// A message of an mbox without the `>` that this variant puts before lines.
    ///
    /// In `mboxo` and `mboxcl`, each line `>From ` loses it, also one that had it before. Octets in which
    /// there is nothing to change are not copied.
    public func unescaped(_ octets: Octets) -> Octets {
        guard self != .mboxcl2 else { return octets }
        let message = octets.withUnsafeBytes { octets in
            var message: [UInt8] = []
            var run = 0
            forEachEscape(in: octets) { place in
                if run == 0 { message.reserveCapacity(octets.count) }
                message.append(contentsOf: UnsafeRawBufferPointer(rebasing: octets[run..<place]))
                run = place + 1
            }
            guard run > 0 else { return nil as [UInt8]? }
            message.append(contentsOf: UnsafeRawBufferPointer(rebasing: octets[run...]))
            return message
        }
        return message.map { Octets($0) } ?? octets
    }

    /// Calls `body` with the offset of each `>` that was put in.
    private func forEachEscape(in octets: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        var place = 0
        // In bounds: `place` and `end` are at most `octets.count`, and octets are read below it only.
        while place < octets.count {
            if octets[place] == ASCII.greater {
                var end = place + 1
                if self == .mboxrd {
                    while end < octets.count, octets[end] == ASCII.greater { end += 1 }
                }
                if MboxSeparatorLine.hasPrefix(octets, at: end) { body(place) }
                place = end
            }
            guard place < octets.count,
                let lineEnd = octets.firstOffset(of: ASCII.lf, from: place)
            else { break }
            place = lineEnd + 1
        }
    }
}
