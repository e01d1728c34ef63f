import MartletBytes
import MartletSASL

/// A text as searches and orders compare it: without case, and with letters and their accents as one however they are
/// written. In the manner of `i;unicode-casemap`, RFC 5051, which RFC 9051 §6.4.4 and RFC 5256 §2 ask for.
///
/// Each character is made a capital by Unicode's full mappings (`ß` is `SS`, all sigmas are one) and the text is brought to
/// normalization form KC, so that wide letters and ligatures are as the plain ones. Unlike in RFC 5051 an accent stays
/// with its letter: `cafe` is not found in `café`.
package struct FoldedText: Hashable, Comparable, Sendable {
    /// The folded text in UTF-8.
    package private(set) var octets: [UInt8]

    /// Nothing.
    package init() { octets = [] }

    /// Folds a text.
    package init(_ text: some StringProtocol) {
        octets = []
        octets.reserveCapacity(text.utf8.count)
        var text = String(text)
        text.withUTF8 { utf8 in
            var folder = Folder()
            folder.fold(utf8, into: &octets)
        }
    }

    /// Octet by octet, which in UTF-8 is the order of the characters' numbers.
    package static func < (left: FoldedText, right: FoldedText) -> Bool {
        left.octets.withUnsafeBufferPointer { left in
            right.octets.withUnsafeBufferPointer { left.lexicographicallyPrecedes($0) }
        }
    }

    private struct Folder {
        /// What each character that stands alone becomes.
        private var known: [UInt32: [UInt8]] = [:]

        mutating func fold(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
            var index = 0
            while index < text.count {
                let octet = text[index]
                // The next may be a mark on this one; marks begin with octets from 0xCC on.
                if octet < 0x80, index + 1 == text.count || text[index + 1] < 0xCC {
                    output.append(octet.isLowercase ? octet - 0x20 : octet)
                    index += 1
                } else {
                    index = foldCluster(at: index, of: text, into: &output)
                }
            }
        }

        /// Folds a character with the marks behind it; gives the place behind them.
        private mutating func foldCluster(
            at start: Int, of text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
        ) -> Int {
            var iterator = UTF8.ForwardParser()
            var rest = text[start...].makeIterator()
            var end = start
            var cluster: [Unicode.Scalar] = []
            // Valid UTF-8: it is that of a string.
            while case .valid(let encoded) = iterator.parseScalar(from: &rest) {
                let scalar = UTF8.decode(encoded)
                guard cluster.isEmpty || scalar.belongsToLast, cluster.count < Self.markLimit else {
                    break
                }
                cluster.append(scalar)
                end += encoded.count
            }
            guard let first = cluster.first else { return start + 1 }
            if cluster.count > 1 {
                output += Self.folded(cluster)
            } else if let folded = known[first.value] {
                output += folded
            } else {
                let folded = Self.folded(cluster)
                known[first.value] = folded
                output += folded
            }
            return end
        }

        /// Marks on one character that are put in order with it; more are folded by themselves.
        private static let markLimit = 64

        private static func folded(_ cluster: [Unicode.Scalar]) -> [UInt8] {
            var capitals: [UInt32] = []
            for scalar in cluster {
                for small in scalar.properties.lowercaseMapping.unicodeScalars {
                    for capital in small.properties.uppercaseMapping.unicodeScalars {
                        capitals.append(capital.value)
                    }
                }
            }
            var text = ""
            for value in CompatibilityForm.unicode32.normalize(capitals) {
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            return Array(text.utf8)
        }
    }
}

extension Unicode.Scalar {
    /// Whether it may become one with the character before it: a mark, or a vowel or last consonant of Korean.
    fileprivate var belongsToLast: Bool {
        switch value {
        case ..<0x300: false
        case 0x1161...0x11FF: true
        case 0x3400...0x9FFF, 0xAC00...0xD7A3: false
        default:
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: false
            }
        }
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { self &- 0x61 < 26 }
}
