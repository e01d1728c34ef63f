import MartletBytes

/// Line ends of messages in files. Programs that deliver write LF there; in IMAP and POP3 lines end with CRLF.
enum LineEnds {
    /// A message as it is served: where the first line ends with LF alone, each line that does gets its CR.
    static func served(_ octets: [UInt8]) -> [UInt8] {
        guard needChange(octets) else { return octets }
        var served: [UInt8] = []
        served.reserveCapacity(octets.count + octets.count / 32)
        var rest = octets[...]
        while let end = rest.firstIndex(of: ASCII.lf) {
            served += rest[..<end]
            if served.last != ASCII.cr { served.append(ASCII.cr) }
            served.append(ASCII.lf)
            rest = rest[(end + 1)...]
        }
        return served + rest
    }

    /// How large it is then.
    static func servedSize(of octets: some Collection<UInt8>) -> Int {
        guard needChange(octets) else { return octets.count }
        var (size, last) = (octets.count, ASCII.nul)
        for octet in octets {
            if octet == ASCII.lf, last != ASCII.cr { size += 1 }
            last = octet
        }
        return size
    }

    private static func needChange(_ octets: some Collection<UInt8>) -> Bool {
        var last = ASCII.nul
        for octet in octets {
            if octet == ASCII.lf { return last != ASCII.cr }
            last = octet
        }
        return false
    }
}
