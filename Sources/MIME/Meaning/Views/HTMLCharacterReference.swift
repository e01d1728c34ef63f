import MartletBytes
import MartletText

/// Character references of HTML that are common in mail: all numbers, the names of Latin-1 and of a few other
/// characters. WHATWG HTML §13.2.5.72.
enum HTMLCharacterReference {
    /// Reads the reference whose `&` is at `start`.
    ///
    /// - Returns: the character and where the text goes on; `nil` and behind the `&` if it is none that is known.
    static func read(
        _ octets: UnsafeRawBufferPointer, at start: Int
    ) -> (scalar: Unicode.Scalar?, end: Int) {
        var index = start + 1
        if index < octets.count, octets[index] == UInt8(ascii: "#") {
            return number(octets, from: index + 1) ?? (nil, start + 1)
        }
        while index < octets.count, index - start <= nameLimit,
            octets[index].isLetter || octets[index].isDigit
        {
            index += 1
        }
        let name = String(decoding: octets[(start + 1)..<index], as: UTF8.self)
        guard let value = names[name] else { return (nil, start + 1) }
        if index < octets.count, octets[index] == UInt8(ascii: ";") { index += 1 }
        return (Unicode.Scalar(value), index)
    }

    private static func number(
        _ octets: UnsafeRawBufferPointer, from start: Int
    ) -> (scalar: Unicode.Scalar?, end: Int)? {
        var index = start
        let isHex = index < octets.count && octets[index].lowercased == UInt8(ascii: "x")
        if isHex { index += 1 }
        let digits = index
        var value: UInt32 = 0
        while index < octets.count {
            let octet = octets[index].lowercased
            let digit: UInt32
            if octet.isDigit {
                digit = UInt32(octet - ASCII.zero)
            } else if isHex, 0x61...0x66 ~= octet {
                digit = UInt32(octet - 0x61 + 10)
            } else {
                break
            }
            // What is too large for a character stays so.
            value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
            index += 1
        }
        guard index > digits else { return nil }
        if index < octets.count, octets[index] == UInt8(ascii: ";") { index += 1 }
        if 0x80...0x9F ~= value {
            let decoded = Charset.windows1252.decode([UInt8(value)]).text
            return (decoded.unicodeScalars.first, index)
        }
        return (value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}", index)
    }

    private static let nameLimit = 10

    private static let names: [String: UInt32] = {
        var names: [String: UInt32] = [
            "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "OElig": 0x152,
            "oelig": 0x153, "Scaron": 0x160, "scaron": 0x161, "Yuml": 0x178, "fnof": 0x192,
            "circ": 0x2C6, "tilde": 0x2DC, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009,
            "zwnj": 0x200C, "zwj": 0x200D, "lrm": 0x200E, "rlm": 0x200F, "ndash": 0x2013,
            "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C,
            "rdquo": 0x201D, "bdquo": 0x201E, "dagger": 0x2020, "Dagger": 0x2021, "bull": 0x2022,
            "hellip": 0x2026, "permil": 0x2030, "prime": 0x2032, "Prime": 0x2033,
            "lsaquo": 0x2039, "rsaquo": 0x203A, "euro": 0x20AC, "trade": 0x2122, "larr": 0x2190,
            "uarr": 0x2191, "rarr": 0x2192, "darr": 0x2193, "minus": 0x2212, "infin": 0x221E,
            "ne": 0x2260, "le": 0x2264, "ge": 0x2265, "hearts": 0x2665,
        ]
        for (index, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = 0xA0 + UInt32(index)
        }
        return names
    }()

    /// The names of U+00A0 to U+00FF.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
        Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
        uacute ucirc uuml yacute thorn yuml
        """
}
