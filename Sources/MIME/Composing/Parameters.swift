import MartletBytes

/// Writes the parameters of `Content-Type` and `Content-Disposition`.
///
/// ASCII values are tokens or quoted strings; others are percent-encoded UTF-8, and long ones are cut
/// into sections. RFC 2045 §5.1, RFC 2231 §3, §4.
enum Parameters {
    /// The longest single piece, so that it fits a line with its leading space and its semicolon.
    static let pieceLimit = 76
    /// The longest character, percent-encoded, that is never cut.
    private static let wholeUnitLimit = 60

    /// The pieces `name=value`, or `name*0=…` and so on, to be joined by semicolons.
    static func pieces(name: String, value: String) -> [[UInt8]] {
        let octets = Array(value.utf8)
        let isASCII = octets.allSatisfy { $0 >= ASCII.space && $0 < ASCII.del }
        // Lenient readers would decode an encoded word even inside of quotes.
        guard isASCII, !containsEncodedWordStart(octets) else {
            let units = value.map { $0.utf8.map(percentEncoded) }
            return cut(units, name: name, suffix: "*", prefix: "utf-8''", quote: [])
        }
        // "*", "'" and "%" may stand in a token, but are taken for the signs of RFC 2231 by some.
        if !octets.isEmpty, octets.allSatisfy({ isTokenOctet($0) && !"*'%".utf8.contains($0) }),
            name.utf8.count + 1 + octets.count <= pieceLimit
        {
            return [Array("\(name)=\(value)".utf8)]
        }
        let units = octets.map { octet -> [[UInt8]] in
            [octet == ASCII.quote || octet == ASCII.backslash ? [ASCII.backslash, octet] : [octet]]
        }
        return cut(units, name: name, suffix: "", prefix: "", quote: [ASCII.quote])
    }

    /// Puts `units` (characters, each given as encoded octets) into as few pieces as fit. A unit is
    /// cut only when it alone is longer than a piece, and then only between its scalars.
    private static func cut(
        _ units: [[[UInt8]]], name: String, suffix: String, prefix: String, quote: [UInt8]
    ) -> [[UInt8]] {
        let whole =
            Array("\(name)\(suffix)=\(prefix)".utf8) + quote + units.joined().joined() + quote
        if whole.count <= pieceLimit { return [whole] }
        var pieces: [[UInt8]] = []
        var piece: [UInt8] = []
        func start() {
            let isFirst = pieces.isEmpty
            piece = Array("\(name)*\(pieces.count)\(suffix)=\(isFirst ? prefix : "")".utf8) + quote
        }
        func finish() { pieces.append(piece + quote) }
        start()
        var isEmpty = true
        func add(_ octets: some Collection<UInt8>) {
            if piece.count + octets.count + quote.count > pieceLimit, !isEmpty {
                finish()
                start()
            }
            piece += octets
            isEmpty = false
        }
        for unit in units {
            let octets = Array(unit.joined())
            if octets.count <= wholeUnitLimit {
                add(octets)
            } else {
                // A cluster of many scalars: the encoded octets of one scalar stay together.
                for scalar in scalars(of: unit) { add(scalar) }
            }
        }
        finish()
        return pieces
    }

    /// Regroups encoded octets: those that continue a UTF-8 sequence go with its first.
    private static func scalars(of unit: [[UInt8]]) -> [[UInt8]] {
        var scalars: [[UInt8]] = []
        for octet in unit {
            // %80 to %BF
            let isContinuation = octet.count == 3 && "89AB".utf8.contains(octet[1])
            if isContinuation, var last = scalars.popLast() {
                last += octet
                scalars.append(last)
            } else {
                scalars.append(octet)
            }
        }
        return scalars
    }

    // attribute-char of RFC 2231 §7, and fewer: what every reader leaves alone.
    private static func percentEncoded(_ octet: UInt8) -> [UInt8] {
        guard !octet.isLetter, !octet.isDigit, !"-._~".utf8.contains(octet) else { return [octet] }
        var encoded = [UInt8(ascii: "%")]
        Hex.append(octet, to: &encoded)
        return encoded
    }
}

extension HeaderWriter {
    /// Writes `name: value; parameter=…; …`.
    mutating func field(
        _ name: String, _ value: String, parameters: [ContentType.Parameter]
    ) throws(CompositionError) {
        var words = [Array(value.utf8)]
        for parameter in parameters {
            words += Parameters.pieces(name: parameter.name, value: parameter.value)
        }
        for index in words.indices.dropLast() { words[index].append(UInt8(ascii: ";")) }
        try field(name, words: words)
    }
}
