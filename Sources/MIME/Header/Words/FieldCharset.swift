import MartletBytes
import MartletText

/// The charset that a label in a header field stands for: of an encoded word or of a parameter.
enum FieldCharset: Hashable {
    case known(Charset)
    /// A label that says ASCII: octets above 127 cannot be in it, and are read as if there were none.
    case ascii
    /// A label that nobody knows, by its hash: the same label is the same charset.
    case unknown(label: UInt64)
    /// No label.
    case none

    static let utf8 = FieldCharset.known(.utf8)

    /// Looks up a label in any case. A language behind it, and folds in it, are passed over.
    init(label: Span<UInt8>) {
        if label.count == 5, label[2] | 0x20 == UInt8(ascii: "f"), label[3] == ASCII.hyphen,
            label[0] | 0x20 == UInt8(ascii: "u"), label[1] | 0x20 == UInt8(ascii: "t"),
            label[4] == UInt8(ascii: "8")
        {
            self = .utf8
            return
        }
        var name: [UInt8] = []
        name.reserveCapacity(label.count)
        for index in label.indices where !label[index].isFoldingSpace {
            if label[index] == UInt8(ascii: "*") { break }
            name.append(label[index].lowercased)
        }
        if name.isEmpty {
            self = .none
        } else if Charset.isASCII(label: name) {
            self = .ascii
        } else if let charset = Charset(label: name) {
            self = .known(charset)
        } else {
            // FNV-1a
            self = .unknown(
                label: name.reduce(0xCBF2_9CE4_8422_2325) {
                    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
                })
        }
    }

    /// Whether the charset is one that can be read.
    var isKnown: Bool {
        switch self {
        case .known, .ascii: true
        case .unknown, .none: false
        }
    }

    /// Whether ASCII octets are surely themselves.
    var keepsASCII: Bool {
        guard case .known(let charset) = self else { return true }
        return charset == .utf8 || charset == .windows1252
    }

    /// Whether a run of octets may end in another state than it began, so that the octets of two words
    /// must not be joined: each word begins in ASCII. RFC 2047 §3.
    var isStateful: Bool {
        guard case .known(let charset) = self, charset != .utf8 else { return false }
        return charset.name.hasPrefix("iso-2022-") || charset.name.hasPrefix("hz-")
            || charset.name.hasPrefix("utf-7") || charset.name.hasPrefix("utf-16")
            || charset.name.hasPrefix("utf-32") || charset.name.hasPrefix("unicode-1-1")
    }

    /// Whether `octets` are what they say already: valid UTF-8 without a byte order mark.
    func isUTF8(_ octets: Span<UInt8>) -> Bool {
        guard self == .utf8 || self == .ascii || !isKnown, octets[0] != 0xEF else { return false }
        return octets.withUnsafeBytes { Charset.unlabelled($0) == .utf8 }
    }

    /// Appends what `octets` say, as UTF-8.
    ///
    /// A label that is unknown, or cannot be right, is passed over: UTF-8 if that is valid, else windows-1252.
    /// - Returns: whether they are what the label says.
    func decode(_ octets: [UInt8], into text: inout [UInt8]) -> Bool {
        octets.withUnsafeBytes { octets in
            guard case .known(let charset) = self, charset.mayBeRight(for: octets) else {
                let isValid =
                    Charset.unlabelled(octets).decode(octets, appendingTo: &text).malformedCount
                    == 0
                if case .known = self { return false }
                return isValid
            }
            let start = text.count
            let report = charset.decode(octets, appendingTo: &text)
            guard let first = report.firstMalformedOffset else { return true }
            if !Self.isCutCharacter(octets[first...]) {
                text.replaceSubrange(start..., with: charset.decodeIfRight(octets).text.utf8)
            }
            return false
        }
    }

    /// Whether the end of a text is a character of UTF-8 that was cut, which says nothing against the label.
    ///
    /// Only octets that are seldom the last of a text in windows-1252: of the letters with marks, signs and emoji.
    private static func isCutCharacter(_ end: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let lead = end.first, end.count <= 3 else { return false }
        return (0xC2...0xC5 ~= lead || lead == 0xE2 || lead == 0xF0)
            && end.dropFirst().allSatisfy { 0x80...0xBF ~= $0 }
    }
}

extension [UInt8] {
    /// Appends the octets of `span`.
    mutating func append(contentsOf span: Span<UInt8>) {
        span.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
