import MartletBytes

/// Where the pieces of an encoded word stand. RFC 2047 §2, RFC 2231 §5.
///
///     =?charset*language?B?encoded-text?=
struct EncodedWord {
    var isBase64: Bool
    var charset: FieldCharset
    /// The encoded text.
    var text: Range<Int>
    /// Behind `?=`.
    var end: Int
}

/// Finds encoded words, also those that break the rules: cut by a fold anywhere, glued to their
/// neighbours, with raw blanks, signs or octets above 127 inside.
///
/// The time for all words of a field is linear in its length. A scanner is for one field.
struct EncodedWordScanner {
    /// The longest charset with its language.
    private static let labelLimit = 80
    private static let question = UInt8(ascii: "?")

    /// No `?=` stands behind here.
    private var unclosedFrom = Int.max
    /// Where the label stands that was looked up last, and what it stands for: most fields use one.
    private var lastLabel = 0..<0
    private var lastCharset = FieldCharset.none

    /// The word that starts at `start`; `nil` if there is none, or it never ends.
    mutating func word(in octets: Span<UInt8>, at start: Int, end: Int) -> EncodedWord? {
        guard start < unclosedFrom, let head = Self.head(in: octets, at: start, end: end) else {
            return nil
        }
        guard
            let textEnd = textEnd(
                in: octets, from: head.textStart, end: end, isBase64: head.isBase64)
        else { return nil }
        return EncodedWord(
            isBase64: head.isBase64, charset: charset(head.label, in: octets),
            text: head.textStart..<textEnd, end: textEnd + 2)
    }

    private struct Head {
        var label: Range<Int>
        var isBase64: Bool
        var textStart: Int
    }

    /// Reads `=?charset?B?`.
    private static func head(in octets: Span<UInt8>, at start: Int, end: Int) -> Head? {
        guard start + 1 < end, octets[start] == ASCII.equals, octets[start + 1] == question else {
            return nil
        }
        let labelStart = start + 2
        var index = labelStart
        let limit = min(end, labelStart + labelLimit)
        while index < limit, octets[index] != question {
            let octet = octets[index]
            guard octet > ASCII.space || octet == ASCII.cr || octet == ASCII.lf else {
                // A blank may only be one that a fold brought.
                guard octet.isBlank, index > labelStart, octets[index - 1].isFoldingSpace else {
                    return nil
                }
                index += 1
                continue
            }
            index += 1
        }
        guard index < limit else { return nil }
        let label = labelStart..<index
        index = skipFold(in: octets, from: index + 1, end: end)
        guard index < end else { return nil }
        let letter = octets[index] | 0x20
        guard letter == UInt8(ascii: "b") || letter == UInt8(ascii: "q") else { return nil }
        index = skipFold(in: octets, from: index + 1, end: end)
        guard index < end, octets[index] == question else { return nil }
        return Head(
            label: label, isBase64: letter == UInt8(ascii: "b"), textStart: index + 1)
    }

    private static func skipFold(in octets: Span<UInt8>, from start: Int, end: Int) -> Int {
        guard start < end, octets[start] == ASCII.cr || octets[start] == ASCII.lf else {
            return start
        }
        var index = start
        while index < end, octets[index].isFoldingSpace { index += 1 }
        return index
    }

    /// Finds the `?=` that ends the text, before another word starts.
    private mutating func textEnd(
        in octets: Span<UInt8>, from start: Int, end: Int, isBase64: Bool
    ) -> Int? {
        var index = start
        while index + 1 < end {
            guard octets[index] == Self.question else {
                index += 1
                continue
            }
            if octets[index + 1] == ASCII.equals {
                if isBase64 || !isInsideQText(octets, index, end: end) { return index }
            } else if index > start, octets[index - 1] == ASCII.equals,
                Self.head(in: octets, at: index - 1, end: end) != nil
            {
                return nil
            }
            index += 1
        }
        unclosedFrom = start
        return nil
    }

    /// Whether the `?=` at `index` is a raw question mark and an escape, as in `=?utf-8?Q?what?=21?=`:
    /// two digits follow, and another `?=` before the next blank or word.
    private func isInsideQText(_ octets: Span<UInt8>, _ index: Int, end: Int) -> Bool {
        guard index + 3 < end, octets[index + 2].hexValue != nil,
            octets[index + 3].hexValue != nil
        else { return false }
        var index = index + 4
        while index + 1 < end {
            let octet = octets[index]
            if octet.isFoldingSpace { return false }
            if octet == ASCII.equals, octets[index + 1] == Self.question { return false }
            if octet == Self.question, octets[index + 1] == ASCII.equals { return true }
            index += 1
        }
        return false
    }

    /// Looks up the label, unless it is the one before.
    private mutating func charset(_ label: Range<Int>, in octets: Span<UInt8>) -> FieldCharset {
        if label.count != lastLabel.count
            || zip(label, lastLabel).contains(where: { octets[$0] != octets[$1] })
        {
            lastCharset = FieldCharset(label: octets.extracting(label))
            lastLabel = label
        }
        return lastCharset
    }
}
