import MartletBytes

extension ReceivedReader {
    /// Looks for the version of TLS and the name of a cipher suite in a comment or word, cut at every sign that
    /// servers put around them: `(version=TLS1_2, cipher=…)`, `TLS-1.0:…:256`, `using TLSv1.3 with cipher …`.
    mutating func readTLS(_ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, octets[end].isLabelOctet || octets[end] == ASCII.dot {
                end += 1
            }
            if end - start >= 4 { readPiece(start..<end) }
            start = end + 1
        }
    }

    private mutating func readPiece(_ range: Range<Int>) {
        if let version = version(range) {
            var tls = received.tls ?? Received.TLS()
            tls.version = tls.version ?? version
            received.tls = tls
        } else if isCipher(range) {
            var tls = received.tls ?? Received.TLS()
            tls.cipher = tls.cipher ?? octets.shown(range)
            received.tls = tls
        }
    }

    /// `TLSv1`, `TLSv1.2`, `TLS1_2`, `TLS-1.0`, `SSLv3`.
    private func version(_ range: Range<Int>) -> String? {
        var index = range.lowerBound + 3
        let isTLS = octets.has("tls", at: range.lowerBound)
        guard isTLS || octets.has("ssl", at: range.lowerBound) else { return nil }
        let mark = octets[index].lowercased
        if mark == UInt8(ascii: "v") || mark == ASCII.hyphen { index += 1 }
        guard index < range.upperBound, octets[index].isDigit else { return nil }
        let major = octets[index]
        index += 1
        var minor = ASCII.zero
        if index < range.upperBound {
            guard octets[index] == ASCII.dot || octets[index] == UInt8(ascii: "_"),
                octets[index + 1].isDigit, index + 2 == range.upperBound
            else { return nil }
            minor = octets[index + 1]
        }
        let text = String(decoding: isTLS ? [major, ASCII.dot, minor] : [major], as: UTF8.self)
        return (isTLS ? "TLSv" : "SSLv") + text
    }

    /// Whether this is the name of a cipher suite: capitals, digits and hyphens or underscores, with a cipher among them.
    private func isCipher(_ range: Range<Int>) -> Bool {
        var hasJoint = false
        for index in range {
            let octet = octets[index]
            if octet == ASCII.hyphen || octet == UInt8(ascii: "_") {
                hasJoint = true
            } else if !octet.isDigit, octet != octet.uppercased || !octet.isLetter {
                return false
            }
        }
        let ciphers: [StaticString] = ["aes", "des", "rc4", "chacha20", "camellia"]
        return hasJoint
            && range.contains { index in
                ciphers.contains {
                    index + $0.utf8CodeUnitCount <= range.upperBound && octets.has($0, at: index)
                }
            }
    }
}
