/// Why a text is not a mail address. The remedy is always a corrected text.
public struct AddressError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// There is no address at all.
        case empty
        /// A control character (CR, LF and NUL among them), which no address may carry.
        case controlCharacter
        /// There is no `@` between a local part and a domain.
        case missingAtSign
        /// The part before the `@` is empty or has characters that need quotes.
        case invalidLocalPart
        /// The part after the `@` is neither a host name nor an address in brackets.
        case invalidDomain
        /// Longer than `MailboxAddress` allows; the limit in octets.
        case tooLong(limit: Int)
        /// There is more than one address, or a group of them.
        case severalAddresses
        /// A quote, comment or bracket is not closed, or something stands where nothing may.
        case malformed
    }

    /// What a caller can do about an error.
    public enum Recovery: Hashable, Sendable {
        /// Correct the text and try again.
        case fixInput
    }

    /// What is wrong.
    public var kind: Kind
    /// The text that is no address.
    public var text: String

    /// What to do: correct the text.
    public var recovery: Recovery { .fixInput }
}

extension AddressError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        "\u{201C}\(printable(text))\u{201D} is not a mail address: \(reason)."
    }

    private var reason: String {
        switch kind {
        case .empty: "it is empty"
        case .controlCharacter: "it has a line break or another control character; remove it"
        case .missingAtSign: "it has no \u{201C}@\u{201D}; write name@domain"
        case .invalidLocalPart:
            "the part before \u{201C}@\u{201D} is empty or has characters that need quotes"
        case .invalidDomain: "the part after \u{201C}@\u{201D} is not a domain; check its spelling"
        case .tooLong(let limit): "a part of it is longer than \(limit) octets"
        case .severalAddresses: "it holds several addresses or a group; give them one by one"
        case .malformed: "a quote, comment or bracket is not closed, or something is left over"
        }
    }
}

/// `text` fit for an error sentence: control characters shown as "?", and not endless.
func printable(_ text: String) -> String {
    let limit = 80
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
        shown.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    return String(shown) + (text.unicodeScalars.count > limit ? "\u{2026}" : "")
}
