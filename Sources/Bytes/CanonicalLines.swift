/// `text` with CRLF at the end of each line, whatever it had before.
package func canonicalLines(_ text: some Collection<UInt8>) -> [UInt8] {
    let octets = [UInt8](text)
    let profile = OctetProfile(octets)
    guard profile.hasBareCR || profile.hasBareLF else { return octets }
    var lines: [UInt8] = []
    lines.reserveCapacity(profile.canonicalSizeInOctets)
    var start = 0
    var index = 0
    while index < octets.count {
        let octet = octets[index]
        index += 1
        guard octet == ASCII.cr || octet == ASCII.lf else { continue }
        lines += octets[start..<(index - 1)]
        lines.append(ASCII.cr)
        lines.append(ASCII.lf)
        if octet == ASCII.cr, index < octets.count, octets[index] == ASCII.lf { index += 1 }
        start = index
    }
    lines += octets[start...]
    return lines
}
