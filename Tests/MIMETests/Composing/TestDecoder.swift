import MartletBytes
import Testing

/// A small reader of what we write, for tests only. It knows just the forms that we make.
struct ReadMessage {
    var header: [(name: String, value: String)] = []
    var body: [UInt8] = []
    var parts: [ReadMessage] = []

    init(_ octets: some Collection<UInt8>) throws {
        let octets = Array(octets)
        let end = try #require(octets.firstRange(of: Array("\r\n\r\n".utf8)))
        var lines: [String] = []
        for line in String(decoding: octets[..<end.lowerBound], as: UTF8.self).lines {
            if line.first == " " || line.first == "\t" {
                lines[lines.count - 1] += line
            } else {
                lines.append(line)
            }
        }
        for line in lines {
            let colon = try #require(line.firstIndex(of: ":"))
            var value = line[line.index(after: colon)...]
            if value.first == " " { value = value.dropFirst() }
            header.append((String(line[..<colon]), String(value)))
        }
        body = Array(octets[end.upperBound...])
        if let boundary = parameter("boundary", of: "Content-Type") {
            var octets = Array("\r\n".utf8) + body
            let delimiter = Array("\r\n--\(boundary)".utf8)
            var starts: [[UInt8]] = []
            while let range = octets.firstRange(of: delimiter) {
                starts.append(Array(octets[..<range.lowerBound]))
                octets = Array(octets[range.upperBound...])
            }
            try #require(octets == Array("--\r\n".utf8) || octets == Array("--".utf8))
            parts = try starts.dropFirst().map { try ReadMessage($0.dropFirst(2)) }
        }
    }

    subscript(name: String) -> String? { header.first { $0.name == name }?.value }

    func decoded(_ name: String) -> String? { self[name].map(decodeEncodedWords) }

    func parameter(_ name: String, of field: String) -> String? {
        self[field].flatMap { decodeParameter(name, in: $0) }
    }

    /// The content without its transfer encoding.
    var content: [UInt8]? {
        switch self["Content-Transfer-Encoding"] {
        case "base64": Base64.decode(body.filter { $0 != ASCII.cr && $0 != ASCII.lf })
        case "quoted-printable": decodeQuoted(body, escape: "=", softBreaks: true)
        default: body
        }
    }
}

extension String {
    /// Its lines, CRLF taken off.
    var lines: [String] {
        utf8.split(separator: ASCII.lf, omittingEmptySubsequences: false).map {
            String(decoding: $0.last == ASCII.cr ? $0.dropLast() : $0, as: UTF8.self)
        }
    }
}

/// RFC 2047: encoded words, and no blanks between two of them.
func decodeEncodedWords(_ value: String) -> String {
    var result: [UInt8] = []
    var blanks: [UInt8] = []
    var previousIsEncoded = false
    var rest = Array(value.utf8)[...]
    while !rest.isEmpty {
        let blank = rest.prefix(while: \.isBlank)
        rest = rest.dropFirst(blank.count)
        let word = rest.prefix { !$0.isBlank }
        rest = rest.dropFirst(word.count)
        blanks = Array(blank)
        guard let decoded = decodeEncodedWord(Array(word)) else {
            result += blanks + word
            previousIsEncoded = false
            continue
        }
        result += (previousIsEncoded ? [] : blanks) + decoded
        previousIsEncoded = true
    }
    return String(decoding: result, as: UTF8.self)
}

func decodeEncodedWord(_ word: [UInt8]) -> [UInt8]? {
    let frame = 12
    guard word.count >= frame, word.suffix(2) == Array("?=".utf8)[...] else { return nil }
    let payload = Array(word[10..<(word.count - 2)])
    switch String(decoding: word.prefix(10), as: UTF8.self) {
    case "=?UTF-8?B?": return Base64.decode(payload)
    case "=?UTF-8?Q?":
        return decodeQuoted(payload.map { $0 == UInt8(ascii: "_") ? 32 : $0 }, escape: "=")
    default: return nil
    }
}

/// RFC 2231: plain, quoted, percent-encoded, in sections.
func decodeParameter(_ name: String, in value: String) -> String? {
    var pieces: [(name: String, value: [UInt8])] = []
    var rest = Array(value.utf8)[...].drop { $0 != UInt8(ascii: ";") }
    while !rest.isEmpty {
        rest = rest.dropFirst().drop(while: \.isBlank)
        let pieceName = String(
            decoding: rest.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        rest = rest.dropFirst(pieceName.utf8.count + 1)
        var pieceValue: [UInt8] = []
        if rest.first == ASCII.quote {
            rest = rest.dropFirst()
            while let octet = rest.popFirst(), octet != ASCII.quote {
                pieceValue.append(octet == ASCII.backslash ? rest.popFirst()! : octet)
            }
        } else {
            pieceValue = Array(rest.prefix { $0 != UInt8(ascii: ";") })
            rest = rest.dropFirst(pieceValue.count)
        }
        pieces.append((pieceName, pieceValue))
    }
    func percentDecoded(_ value: [UInt8]) -> [UInt8] { decodeQuoted(value, escape: "%") }
    let mark = Array("utf-8''".utf8)
    if let piece = pieces.first(where: { $0.name == name }) {
        return String(decoding: piece.value, as: UTF8.self)
    }
    if let piece = pieces.first(where: { $0.name == name + "*" }) {
        return String(
            validating: percentDecoded(Array(piece.value.dropFirst(mark.count))), as: UTF8.self)
    }
    var octets: [UInt8] = []
    var index = 0
    while true {
        if let piece = pieces.first(where: { $0.name == "\(name)*\(index)" }) {
            octets += piece.value
        } else if let piece = pieces.first(where: { $0.name == "\(name)*\(index)*" }) {
            let section = percentDecoded(
                Array(piece.value.dropFirst(index == 0 ? mark.count : 0)))
            // No character may be cut between sections.
            guard String(validating: section, as: UTF8.self) != nil else { return nil }
            octets += section
        } else {
            return index == 0 ? nil : String(decoding: octets, as: UTF8.self)
        }
        index += 1
    }
}

func decodeQuoted(_ text: [UInt8], escape: Unicode.Scalar, softBreaks: Bool = false) -> [UInt8] {
    var octets: [UInt8] = []
    var index = 0
    while index < text.count {
        guard text[index] == UInt8(ascii: escape), index + 2 < text.count else {
            octets.append(text[index])
            index += 1
            continue
        }
        let digits = String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self)
        if let octet = UInt8(digits, radix: 16) { octets.append(octet) }
        index += 3
    }
    return octets
}
