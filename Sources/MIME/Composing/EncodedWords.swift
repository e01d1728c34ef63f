import MartletBytes

/// How the octets of an encoded word are written. RFC 2047 §4.
private enum WordEncoding {
    case b
    case q

    var introducer: [UInt8] { Array(self == .b ? "=?UTF-8?B?".utf8 : "=?UTF-8?Q?".utf8) }

    func size(of octets: some Collection<UInt8>) -> Int {
        switch self {
        case .b: Base64.encodedSize(of: octets.count)
        case .q: octets.reduce(0) { $0 + (isPlainInQ($1) || $1 == ASCII.space ? 1 : 3) }
        }
    }

    func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
        guard self == .q else { return Base64.encode(octets) }
        var encoded: [UInt8] = []
        for octet in octets {
            if isPlainInQ(octet) {
                encoded.append(octet)
            } else if octet == ASCII.space {
                encoded.append(UInt8(ascii: "_"))
            } else {
                encoded.append(ASCII.equals)
                Hex.append(octet, to: &encoded)
            }
        }
        return encoded
    }
}

/// The characters that may stand for themselves even inside a phrase. RFC 2047 §5 (3).
private func isPlainInQ(_ octet: UInt8) -> Bool {
    octet.isLetter || octet.isDigit || "!*+-/".utf8.contains(octet)
}

extension HeaderWriter {
    /// The longest encoded word in octets. RFC 2047 §2.
    static let encodedWordLimit = 75
    /// `=?UTF-8?B?` and `?=`.
    private static let encodedWordFrame = 12
    /// The least room for which a word is begun on a line that has something already.
    private static let leastRoom = 20

    /// Writes `text`, valid UTF-8, as encoded words behind `blank`, in B or Q, whichever is shorter.
    ///
    /// Each word is whole characters: no code point is cut, and no grapheme either unless it alone is
    /// longer than a word can be.
    mutating func encodedWords(
        _ text: ArraySlice<UInt8>, after blank: some Collection<UInt8> = [ASCII.space]
    ) {
        let encoding: WordEncoding =
            WordEncoding.q.size(of: text) <= WordEncoding.b.size(of: text) ? .q : .b
        let freshRoom = Self.encodedWordLimit - Self.encodedWordFrame
        let roomHere =
            Self.encodedLineLength - column - blank.count - Self.encodedWordFrame
        // `blank` moves to the new line when the first word does not fit here.
        let roomBelow = Self.encodedLineLength - blank.count - Self.encodedWordFrame
        var room = min(roomHere >= Self.leastRoom ? roomHere : roomBelow, freshRoom)
        var blank = Array(blank)
        var start = text.startIndex
        var end = start

        func flush(into writer: inout HeaderWriter) {
            guard start < end else { return }
            writer.word(
                encoding.introducer + encoding.encode(text[start..<end]) + Array("?=".utf8),
                after: blank, isEncoded: true)
            blank = [ASCII.space]
            room = freshRoom
            start = end
        }
        func add(_ count: Int) {
            end += count
        }
        func fits(_ count: Int) -> Bool {
            encoding.size(of: text[start..<(end + count)]) <= room
        }

        for character in String(decoding: text, as: UTF8.self) {
            let count = character.utf8.count
            if fits(count) {
                add(count)
                continue
            }
            flush(into: &self)
            if fits(count) {
                add(count)
                continue
            }
            for scalar in character.unicodeScalars {
                let count = UTF8.width(scalar)
                if !fits(count) { flush(into: &self) }
                add(count)
            }
        }
        flush(into: &self)
    }
}
