import MartletBytes

/// Normalization form KC by Unicode 3.2, which stringprep asks for. RFC 3454 §4, Unicode Standard Annex 15.
///
/// The standard library keeps its normalization to itself, and Foundation may not be used here.
package struct CompatibilityForm: Sendable {
    /// Read once, when the first text beyond ASCII comes.
    package static let unicode32 = CompatibilityForm()

    private struct Pair: Hashable {
        var first: UInt32
        var second: UInt32
    }

    private var parts: [UInt32: [UInt32]] = [:]
    private var composites: [Pair: UInt32] = [:]
    private var classes: [UInt32: UInt8] = [:]

    private init() {
        readDecompositions()
        readClasses()
    }

    private mutating func readDecompositions() {
        var scalar: UInt32 = 0
        for word in TableWords.all(of: StringprepTables.decompositions) {
            let key = word.prefix { $0.hexValue != nil }
            scalar = key.isEmpty ? scalar + 1 : TableWords.number(key)
            let sign = word[key.endIndex]
            let list = word[(key.endIndex + 1)...].split(separator: ASCII.dot)
                .map(TableWords.number)
            parts[scalar] = list
            if sign == ASCII.equals, list.count == 2 {
                composites[Pair(first: list[0], second: list[1])] = scalar
            }
        }
    }

    private mutating func readClasses() {
        for word in TableWords.all(of: StringprepTables.combiningClasses) {
            let halves = word.split(separator: UInt8(ascii: ":"))
            let ends = halves[0].split(separator: UInt8(ascii: "-")).map(TableWords.number)
            let value = halves[1].reduce(0 as UInt8) { $0 * 10 + ($1 - ASCII.zero) }
            for scalar in ends[0]...ends[ends.count - 1] { classes[scalar] = value }
        }
    }

    /// `text` in form KC.
    package func normalize(_ text: [UInt32]) -> [UInt32] {
        var decomposed: [UInt32] = []
        decomposed.reserveCapacity(text.count)
        for scalar in text { decompose(scalar, into: &decomposed) }
        sortMarks(in: &decomposed)
        return compose(decomposed)
    }

    /// A table's parts have parts of their own, a few levels deep.
    private func decompose(_ scalar: UInt32, into output: inout [UInt32]) {
        if Hangul.syllables.contains(scalar) {
            Hangul.decompose(scalar, into: &output)
        } else if let parts = parts[scalar] {
            for part in parts { decompose(part, into: &output) }
        } else {
            output.append(scalar)
        }
    }

    /// Marks behind a base go into the order of their classes; equal ones stay as they are.
    private func sortMarks(in text: inout [UInt32]) {
        var start = 0
        while start < text.count {
            guard classes[text[start]] != nil else {
                start += 1
                continue
            }
            let end = text[start...].firstIndex { classes[$0] == nil } ?? text.count
            if end - start > 1 {
                let marks = text[start..<end].enumerated().sorted { left, right in
                    let (a, b) = (classes[left.element] ?? 0, classes[right.element] ?? 0)
                    return a == b ? left.offset < right.offset : a < b
                }
                text.replaceSubrange(start..<end, with: marks.map(\.element))
            }
            start = end
        }
    }

    private func compose(_ text: [UInt32]) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(text.count)
        var base: Int?
        // The class of what stands last behind the base; nil: nothing does.
        var lastClass: UInt8?
        for scalar in text {
            let own = classes[scalar] ?? 0
            if let base, lastClass.map({ $0 < own }) ?? true,
                let whole = composite(output[base], scalar)
            {
                output[base] = whole
                continue
            }
            if own == 0 {
                base = output.count
                lastClass = nil
            } else {
                lastClass = own
            }
            output.append(scalar)
        }
        return output
    }

    private func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        Hangul.composite(first, second) ?? composites[Pair(first: first, second: second)]
    }
}

/// Korean syllables follow from numbers. Unicode Standard §3.12.
private enum Hangul {
    static let syllables: Range<UInt32> = 0xAC00..<0xAC00 + 11_172
    private static let leading: Range<UInt32> = 0x1100..<0x1113
    private static let vowels: Range<UInt32> = 0x1161..<0x1176
    private static let trailing: Range<UInt32> = 0x11A8..<0x11C3

    static func decompose(_ syllable: UInt32, into output: inout [UInt32]) {
        let index = syllable - syllables.lowerBound
        output.append(leading.lowerBound + index / 588)
        output.append(vowels.lowerBound + index % 588 / 28)
        if index % 28 != 0 { output.append(trailing.lowerBound - 1 + index % 28) }
    }

    static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if leading.contains(first), vowels.contains(second) {
            return syllables.lowerBound + (first - leading.lowerBound) * 588
                + (second - vowels.lowerBound) * 28
        }
        if syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
            trailing.contains(second)
        {
            return first + second - trailing.lowerBound + 1
        }
        return nil
    }
}
