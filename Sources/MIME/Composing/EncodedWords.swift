import MartletBytes

/// How the octets of an encoded word are written. RFC 2047 §4.
private enum WordEncoding {
    case b
    case q

    var introducer: StaticString { self == .b ? "=?UTF-8?B?" : "=?UTF-8?Q?" }

    /// The shorter one for all of `text`.
    init(for text: ArraySlice<UInt8>) {
        let q = text.reduce(0) { $0 + sizeInQ(of: $1) }
        self = q <= Base64.encodedSize(of: text.count) ? .q : .b
    }

    func append(_ octets: ArraySlice<UInt8>, to output: inout [UInt8]) {
        guard self == .q else {
            output += Base64.encode(octets)
            return
        }
        for octet in octets {
            if isPlainInQ(octet) {
                output.append(octet)
            } else if octet == ASCII.space {
                output.append(UInt8(ascii: "_"))
            } else {
                output.append(ASCII.equals)
                Hex.append(octet, to: &output)
            }
        }
    }
}

/// The characters that may stand for themselves even inside a phrase. RFC 2047 §5 (3).
private func isPlainInQ(_ octet: UInt8) -> Bool {
    if octet.isLetter || octet.isDigit { return true }
    switch octet {
    case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        return true
    default: return false
    }
}

private func sizeInQ(of octet: UInt8) -> Int { isPlainInQ(octet) || octet == ASCII.space ? 1 : 3 }

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
        let roomHere = Self.encodedLineLength - column - blank.count - Self.encodedWordFrame
        // `blank` moves to the new line when the first word does not fit here.
        let roomBelow = Self.encodedLineLength - blank.count - Self.encodedWordFrame
        let freshRoom = Self.encodedWordLimit - Self.encodedWordFrame
        var cutter = WordCutter(
            text, room: min(roomHere >= Self.leastRoom ? roomHere : roomBelow, freshRoom))
        var blank = Array(blank)
        func write(_ piece: WordCutter.Piece, into writer: inout HeaderWriter) {
            guard !piece.octets.isEmpty else { return }
            var word: [UInt8] = []
            word.reserveCapacity(Self.encodedWordLimit)
            piece.encoding.introducer.withUTF8Buffer { word += $0 }
            piece.encoding.append(piece.octets, to: &word)
            word.append(UInt8(ascii: "?"))
            word.append(ASCII.equals)
            writer.word(word, after: blank, isEncoded: true)
            blank = [ASCII.space]
            cutter.room = freshRoom
        }
        for character in String(decoding: text, as: UTF8.self) {
            let count = character.utf8.count
            // What was cut off may have left too little room once more.
            for _ in 0..<2 where !cutter.hasRoom(for: count) { write(cutter.cut(), into: &self) }
            if cutter.add(count) { continue }
            for scalar in character.unicodeScalars {
                if !cutter.hasRoom(for: UTF8.width(scalar)) { write(cutter.cut(), into: &self) }
                _ = cutter.add(UTF8.width(scalar))
            }
        }
        write(cutter.rest(), into: &self)
    }
}

/// Cuts a text into pieces that fit encoded words.
///
/// There are readers that join words in B before they decode them, and stop at padding. So a piece that
/// others follow ends where there is none, if a character ends there. If none does, it is in Q where that
/// fits; else the next one is.
private struct WordCutter {
    struct Piece {
        var octets: ArraySlice<UInt8>
        var encoding: WordEncoding
    }

    /// The size that the next word's text may have, encoded.
    var room: Int

    private let text: ArraySlice<UInt8>
    private let preferred: WordEncoding
    private var encoding: WordEncoding
    private var start: Int
    private var end: Int
    // The last place up to which base64 needs no padding.
    private var evenEnd: Int
    // The size of `start..<end` in Q.
    private var size = 0

    init(_ text: ArraySlice<UInt8>, room: Int) {
        self.text = text
        self.room = room
        preferred = WordEncoding(for: text)
        encoding = preferred
        start = text.startIndex
        end = start
        evenEnd = start
    }

    /// Whether the next `count` octets fit.
    func hasRoom(for count: Int) -> Bool {
        var copy = self
        return copy.add(count)
    }

    /// Adds the next `count` octets, which belong together, if there is room for them.
    mutating func add(_ count: Int) -> Bool {
        if encoding == .q {
            let added = Self.qSize(of: text[end..<(end + count)])
            if size + added <= room {
                size += added
                end += count
                return true
            }
            guard start == end, preferred == .b else { return false }
            encoding = .b
        }
        guard Base64.encodedSize(of: end + count - start) <= room else { return false }
        end += count
        if (end - start) % 3 == 0 { evenEnd = end }
        return true
    }

    /// The piece for a word that others follow.
    mutating func cut() -> Piece {
        guard encoding == .b else { return rest() }
        if evenEnd > start {
            defer { start = evenEnd }
            return Piece(octets: text[start..<evenEnd], encoding: .b)
        }
        var piece = rest()
        if !piece.octets.isEmpty, Self.qSize(of: piece.octets) <= room {
            piece.encoding = .q
            encoding = preferred
        }
        return piece
    }

    /// Everything that was added.
    mutating func rest() -> Piece {
        let piece = Piece(octets: text[start..<end], encoding: encoding)
        let isPadded = encoding == .b && piece.octets.count % 3 != 0
        if !piece.octets.isEmpty { encoding = isPadded ? .q : preferred }
        start = end
        evenEnd = end
        size = 0
        return piece
    }

    private static func qSize(of octets: ArraySlice<UInt8>) -> Int {
        octets.reduce(0) { $0 + sizeInQ(of: $1) }
    }
}
