import MartletBytes

/// Line ends in the canonical form of mail: CRLF.
enum LineEnds {
    /// `octets` with CRLF for each bare LF and each bare CR.
    static func canonical(_ octets: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(octets.count + octets.count / 32)
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            index += 1
            switch octet {
            case ASCII.cr:
                result += [ASCII.cr, ASCII.lf]
                if index < octets.count, octets[index] == ASCII.lf { index += 1 }
            case ASCII.lf: result += [ASCII.cr, ASCII.lf]
            default: result.append(octet)
            }
        }
        return result
    }
}
