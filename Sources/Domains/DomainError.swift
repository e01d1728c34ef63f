/// Why a text cannot serve as a domain name.
public struct DomainError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule that the name breaks.
    public enum Kind: Error, Equatable, Sendable {
        /// No character at all.
        case empty
        /// Longer than 253 octets in A-label form.
        case tooLong
        /// Two dots in a row, or one at the start.
        case emptyLabel
        /// A label of more than 63 octets in A-label form; the label, where it is known.
        case labelTooLong(String?)
        /// A character that no domain name may hold; the character, where it is known.
        case disallowedCharacter(Unicode.Scalar?)
        /// A label that starts or ends with a hyphen; the label, where it is known.
        case hyphenAtEdge(String?)
        /// `??--…`, which is kept for A-labels. RFC 5891 §4.2.3.1.
        case hyphensInThirdAndFourthPlace
        /// A label that starts with a combining mark. RFC 5891 §4.2.3.2.
        case leadingCombiningMark
        /// A joiner or middle dot without the neighbours it needs. RFC 5892 appendix A.
        case characterOutOfContext
        /// A code point that Unicode has not given a meaning yet.
        case unassignedCodePoint
        /// Right-to-left and left-to-right letters in one label. RFC 5893.
        case mixedDirections
        /// `xn--…` that decodes to nothing.
        case invalidALabel
        /// The library could not get memory.
        case outOfMemory
        /// Another reason, in the library's words.
        case refused(String)
    }

    /// The rule that the name breaks.
    public var kind: Kind
    /// The name as it was given.
    public var domain: String

    /// Makes an error.
    public init(kind: Kind, domain: String) {
        self.kind = kind
        self.domain = domain
    }

    /// One sentence for a person, safe to print whatever the name holds.
    public var description: String {
        "\"\(Self.printable(domain))\" is not a domain name: \(reason)."
    }

    private var reason: String {
        switch kind {
        case .empty: "it is empty"
        case .tooLong: "it is longer than \(DomainName.maximumOctets) octets"
        case .emptyLabel: "there is nothing between two of its dots"
        case .labelTooLong(let label):
            "\(Self.quoted(label, else: "a part of it")) is longer than "
                + "\(DomainName.maximumLabelOctets) octets"
        case .disallowedCharacter(let scalar?):
            "it must not hold \(Self.name(of: scalar))"
        case .disallowedCharacter(nil): "it holds a character that domain names cannot have"
        case .hyphenAtEdge(let label):
            "\(Self.quoted(label, else: "a part of it")) starts or ends with a hyphen"
        case .hyphensInThirdAndFourthPlace:
            "a part of it has hyphens in third and fourth place, which only \"xn--\" may"
        case .leadingCombiningMark: "a part of it starts with a combining mark"
        case .characterOutOfContext: "a joiner or middle dot in it has the wrong neighbours"
        case .unassignedCodePoint: "it holds a code point that has no meaning in Unicode"
        case .mixedDirections: "a part of it mixes right-to-left and left-to-right writing"
        case .invalidALabel: "a part of it starts with \"xn--\" but stands for no text"
        case .outOfMemory: "there was not enough memory to convert it"
        case .refused(let words): words
        }
    }

    private static func quoted(_ label: String?, else other: String) -> String {
        label.map { "\"\(printable($0))\"" } ?? other
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x20: "a space"
        case ..<0x20, 0x7F...0x9F: "the control character \(code(of: scalar))"
        default: "\"\(scalar)\""
        }
    }

    /// The text with controls as `U+000A` and cut where it gets long.
    private static func printable(_ text: String) -> String {
        var shown = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == 100 { return shown + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                shown += "<\(code(of: scalar))>"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
