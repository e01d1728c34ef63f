import MartletBytes
import MartletText

/// The charset that a label in a header field stands for: of an encoded word or of a parameter.
enum FieldCharset: Hashable {
    case known(Charset)
    /// The label, in lower case, that nobody knows; empty where there is none.
    case unknown(label: [UInt8])

    static let utf8 = FieldCharset.known(.utf8)
    static let none = FieldCharset.unknown(label: [])

    /// Looks up a label in any case.
    init(label: Span<UInt8>) {
        if label.count == 5, label[2] | 0x20 == UInt8(ascii: "f"), label[3] == ASCII.hyphen,
            label[0] | 0x20 == UInt8(ascii: "u"), label[1] | 0x20 == UInt8(ascii: "t"),
            label[4] == UInt8(ascii: "8")
        {
            self = .utf8
            return
        }
        let octets = label.array(0..<label.count)
        if let charset = Charset(label: octets) {
            self = .known(charset)
        } else {
            self = .unknown(label: octets.map(\.lowercased))
        }
    }

    /// Whether a run of octets may end in another state than it began, so that the octets of two words
    /// must not be joined: each word begins in ASCII. RFC 2047 §3.
    var isStateful: Bool {
        guard case .known(let charset) = self, charset != .utf8 else { return false }
        return charset.name.hasPrefix("iso-2022-") || charset.name.hasPrefix("hz-")
            || charset.name.hasPrefix("utf-7") || charset.name.hasPrefix("utf-16")
            || charset.name.hasPrefix("utf-32") || charset.name.hasPrefix("unicode-1-1")
    }

    /// Appends what `octets` say, as UTF-8.
    ///
    /// An unknown label is passed over: UTF-8 if that is valid, else windows-1252.
    /// - Returns: how many places are not valid in the charset.
    func decode(_ octets: [UInt8], into text: inout [UInt8]) -> Int {
        octets.withUnsafeBytes { octets in
            let charset: Charset
            switch self {
            case .known(let known): charset = known
            case .unknown: charset = Charset.unlabelled(octets)
            }
            return charset.decode(octets, appendingTo: &text).malformedCount
        }
    }
}

extension [UInt8] {
    /// Appends the octets of `span`.
    mutating func append(contentsOf span: Span<UInt8>) {
        span.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
