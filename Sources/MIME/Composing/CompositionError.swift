/// Why a message cannot be composed, or cannot be read any further.
///
/// Composing errors come before any octet of the message is made.
public struct CompositionError: Error, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// A field that every message needs has no value.
        case missing
        /// A value has a CR, LF or NUL, which could smuggle in other fields.
        case forbiddenCharacter
        /// A value does not have the form its field asks for.
        case invalid
        /// A value is longer than allowed, in octets.
        case tooLong(limit: Int)
        /// The field is written by the message itself and cannot be given as an extra one.
        case reserved
        /// The address has a non-ASCII local part, and the server does not take those.
        case needsSMTPUTF8
        /// The domain has no ASCII form.
        case invalidDomain
        /// An attachment ended before the size it had told, in octets.
        case contentShrank(expected: Int, found: Int)
        /// An attachment went on behind the size it had told, in octets.
        case contentGrew(expected: Int)
        /// The content cannot be read.
        case unreadable
    }

    /// What a caller can do about an error.
    public enum Recovery: Hashable, Sendable {
        /// Correct the value named by `field`.
        case fixInput
        /// Send through a server with SMTPUTF8, or write to another address.
        case useAnotherServer
        /// Compose again, since a file changed while it was read.
        case composeAgain
    }

    /// What is wrong.
    public var kind: Kind
    /// Where: the name of the header field, or of the attachment.
    public var field: String
    /// The value at fault, where it helps to see it.
    public var value: String?
    /// The error of a file or a domain conversion behind this one.
    public var underlying: (any Error)?

    /// What to do.
    public var recovery: Recovery {
        switch kind {
        case .needsSMTPUTF8: .useAnotherServer
        case .contentShrank, .contentGrew: .composeAgain
        default: .fixInput
        }
    }

    init(_ kind: Kind, field: String, value: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.field = field
        self.value = value
        self.underlying = underlying
    }
}

extension CompositionError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        let field = printable(field)
        let value = value.map { "\u{201C}\(printable($0))\u{201D}" } ?? "the value"
        switch kind {
        case .missing:
            return "The message has no \(field); give one."
        case .forbiddenCharacter:
            return "\(field) has a line break or NUL in \(value); remove it."
        case .invalid:
            return "\(field) cannot be \(value); correct it."
        case .tooLong(let limit):
            return "\(field) is too long: at most \(limit) octets are allowed."
        case .reserved:
            return "\(field) is written by the message itself; set it there, not as an extra field."
        case .needsSMTPUTF8:
            return
                "\(field): \(value) needs a server with SMTPUTF8, which this one does not offer; "
                + "use another server or address."
        case .invalidDomain:
            return "\(field): the domain \(value) has no ASCII form; check its spelling."
        case .contentShrank(let expected, let found):
            return "\(field) shrank from \(expected) to \(found) octets while it was read; "
                + "send it again."
        case .contentGrew(let expected):
            return "\(field) grew beyond its \(expected) octets while it was read; send it again."
        case .unreadable:
            return "\(field) cannot be read"
                + (underlying.map { ": \($0)" } ?? "; check the file and its permissions.")
        }
    }
}

/// Throws when `text` has a CR, LF or NUL.
func refuseLineBreaks(in text: String, field: String) throws(CompositionError) {
    for octet in text.utf8 where octet == 0x0D || octet == 0x0A || octet == 0 {
        throw CompositionError(.forbiddenCharacter, field: field, value: text)
    }
}
