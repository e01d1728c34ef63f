import MartletBytes
import MartletText

/// Character references of HTML that are found in mail: all numbers, the names of HTML 4 and a few others. WHATWG HTML
/// §13.2.5.72.
enum HTMLCharacterReference {
    /// Reads the reference whose `&` is at `start`.
    ///
    /// - Parameter inAttribute: a name without `;` is none there if it goes on with `=`, a letter or a digit.
    /// - Returns: the character and where the text goes on; `nil` and behind the `&` if it is none that is known.
    static func read(
        _ octets: UnsafeRawBufferPointer, at start: Int, inAttribute: Bool = false
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
        let letters = octets[(start + 1)..<index]
        if index < octets.count, octets[index] == UInt8(ascii: ";"),
            let value = names[String(decoding: letters, as: UTF8.self)]
        {
            return (Unicode.Scalar(value), index + 1)
        }
        // Old names need no semicolon: the longest is taken.
        for count in stride(from: min(letters.count, oldNameLimit), to: 1, by: -1) {
            let name = String(decoding: letters.prefix(count), as: UTF8.self)
            guard oldNames.contains(name), let value = names[name] else { continue }
            let end = start + 1 + count
            if inAttribute, end < octets.count,
                octets[end] == ASCII.equals || octets[end].isLetter || octets[end].isDigit
            {
                break
            }
            return (Unicode.Scalar(value), end)
        }
        return (nil, start + 1)
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
    private static let oldNameLimit = 6

    /// Names that are known without the semicolon behind them.
    private static let oldNames = Set(
        latin1.split(separator: " ").map(String.init)
            + ["amp", "lt", "gt", "quot", "AMP", "LT", "GT", "QUOT", "COPY", "REG"])

    private static let names: [String: UInt32] = {
        var names: [String: UInt32] = [
            "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "AMP": 0x26,
            "LT": 0x3C, "GT": 0x3E, "QUOT": 0x22, "COPY": 0xA9, "REG": 0xAE, "TRADE": 0x2122,
            "Tab": 0x09, "NewLine": 0x0A, "excl": 0x21, "num": 0x23, "dollar": 0x24,
            "percnt": 0x25, "lpar": 0x28, "rpar": 0x29, "ast": 0x2A, "plus": 0x2B, "comma": 0x2C,
            "period": 0x2E, "sol": 0x2F, "colon": 0x3A, "semi": 0x3B, "equals": 0x3D,
            "quest": 0x3F, "commat": 0x40, "lsqb": 0x5B, "bsol": 0x5C, "rsqb": 0x5D,
            "lowbar": 0x5F, "OElig": 0x152, "oelig": 0x153, "Scaron": 0x160, "scaron": 0x161,
            "Yuml": 0x178, "fnof": 0x192, "circ": 0x2C6, "tilde": 0x2DC, "thetasym": 0x3D1,
            "upsih": 0x3D2, "piv": 0x3D6, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009,
            "zwnj": 0x200C, "zwj": 0x200D, "lrm": 0x200E, "rlm": 0x200F, "ndash": 0x2013,
            "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C,
            "rdquo": 0x201D, "bdquo": 0x201E, "dagger": 0x2020, "Dagger": 0x2021, "bull": 0x2022,
            "hellip": 0x2026, "permil": 0x2030, "prime": 0x2032, "Prime": 0x2033,
            "lsaquo": 0x2039, "rsaquo": 0x203A, "oline": 0x203E, "frasl": 0x2044, "euro": 0x20AC,
            "image": 0x2111, "weierp": 0x2118, "real": 0x211C, "trade": 0x2122,
            "alefsym": 0x2135, "larr": 0x2190, "uarr": 0x2191, "rarr": 0x2192, "darr": 0x2193,
            "harr": 0x2194, "crarr": 0x21B5, "lArr": 0x21D0, "uArr": 0x21D1, "rArr": 0x21D2,
            "dArr": 0x21D3, "hArr": 0x21D4, "forall": 0x2200, "part": 0x2202, "exist": 0x2203,
            "empty": 0x2205, "nabla": 0x2207, "isin": 0x2208, "notin": 0x2209, "ni": 0x220B,
            "prod": 0x220F, "sum": 0x2211, "minus": 0x2212, "lowast": 0x2217, "radic": 0x221A,
            "prop": 0x221D, "infin": 0x221E, "ang": 0x2220, "and": 0x2227, "or": 0x2228,
            "cap": 0x2229, "cup": 0x222A, "int": 0x222B, "there4": 0x2234, "sim": 0x223C,
            "cong": 0x2245, "asymp": 0x2248, "ne": 0x2260, "equiv": 0x2261, "le": 0x2264,
            "ge": 0x2265, "sub": 0x2282, "sup": 0x2283, "nsub": 0x2284, "sube": 0x2286,
            "supe": 0x2287, "oplus": 0x2295, "otimes": 0x2297, "perp": 0x22A5, "sdot": 0x22C5,
            "lceil": 0x2308, "rceil": 0x2309, "lfloor": 0x230A, "rfloor": 0x230B, "loz": 0x25CA,
            "spades": 0x2660, "clubs": 0x2663, "hearts": 0x2665, "diams": 0x2666, "lang": 0x27E8,
            "rang": 0x27E9,
        ]
        func add(_ list: String, from first: UInt32) {
            for (index, name) in list.split(separator: " ").enumerated() {
                names[String(name)] = first + UInt32(index)
            }
        }
        add(latin1, from: 0xA0)
        add(greekCapitals, from: 0x391)
        add(greekCapitals.lowercased(), from: 0x3B1)
        // Where there is no capital stands the form at the end of words.
        names["sigmaf"] = names.removeValue(forKey: "-").map { _ in 0x3C2 }
        return names
    }()

    /// The names of U+0391 to U+03A9; no character is U+03A2.
    private static let greekCapitals = """
        Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon \
        Phi Chi Psi Omega
        """

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
