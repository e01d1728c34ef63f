import MartletBytes

/// How a command ended. RFC 9051 §7.1.
public enum StatusCondition: String, Hashable, Sendable, CaseIterable {
    /// Done.
    case ok = "OK"
    /// Not done.
    case no = "NO"
    /// Not understood, or not allowed now.
    case bad = "BAD"
}

/// `A7 OK [READ-WRITE] done`: the end of the command with that tag. RFC 9051 §7.1.
public struct TaggedResponse: Hashable, Sendable {
    /// The command's tag.
    public var tag: String
    /// How it ended.
    public var condition: StatusCondition
    /// What the server says about it.
    public var text: ResponseText

    /// Makes one.
    public init(tag: String, condition: StatusCondition, text: ResponseText) {
        self.tag = tag
        self.condition = condition
        self.text = text
    }
}

/// `* OK …` and its like: a greeting, a warning, a good-bye, or data in a code. RFC 9051 §7.1.
public struct UntaggedCondition: Hashable, Sendable {
    /// What it says.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A greeting, or information.
        case ok = "OK"
        /// A warning.
        case no = "NO"
        /// Something was not understood that belongs to no command.
        case bad = "BAD"
        /// A greeting to somebody who is logged in already.
        case preauth = "PREAUTH"
        /// The server closes the connection.
        case bye = "BYE"
    }

    /// What it says.
    public var kind: Kind
    /// The code and the words.
    public var text: ResponseText

    /// Makes one.
    public init(_ kind: Kind, text: ResponseText) {
        self.kind = kind
        self.text = text
    }
}

/// What stands behind `+`. RFC 9051 §7.6.
///
/// In a login it is a challenge in base64, else words for people. Some servers send nothing but `+`.
public struct ContinuationRequest: Hashable, Sendable {
    /// All octets behind `+` and a space: a challenge stands here as it is.
    public var octets: [UInt8]

    /// Makes one.
    public init(octets: [UInt8] = []) { self.octets = octets }
}

extension IMAPCursor {
    // continue-req = "+" SP (resp-text / base64) CRLF
    /// QUIRK(bare-continuation): `+` alone, with a space behind it or none.
    mutating func continuation() -> ContinuationRequest {
        index += 1
        _ = takeIfPresent(ASCII.space)
        return ContinuationRequest(octets: Array(rest))
    }

    // response-tagged = tag SP resp-cond-state CRLF
    mutating func tagged() throws(ParseFailure) -> TaggedResponse {
        let tag = prefix { $0 > ASCII.space }
        guard !tag.isEmpty else { throw failure("tag") }
        try space()
        let start = index
        guard let condition = StatusCondition(rawValue: try keyword()) else {
            index = start
            throw failure("OK, NO or BAD")
        }
        return TaggedResponse(tag: tag.text, condition: condition, text: responseText())
    }
}
