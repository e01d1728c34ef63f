/// Something in a message that is not as the RFCs say, or where reading stopped at a limit. Nothing of the
/// message is lost by it: its octets are as they were.
public struct Defect: Hashable, Sendable {
    /// What is wrong. The raw value is the name that tools print.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        // Structure
        case junkHeaderLine = "junk-header-line"
        case byteOrderMark = "byte-order-mark"
        case missingHeaderEnd = "missing-header-end"
        case mboxLine = "mbox-line"
        case missingBoundaryParameter = "missing-boundary-parameter"
        case missingOpeningBoundary = "missing-opening-boundary"
        case missingClosingBoundary = "missing-closing-boundary"
        case junkAfterBoundary = "junk-after-boundary"
        case encodedContainer = "encoded-container"
        case repeatedField = "repeated-field"
        // Values of header fields
        case invalidContentType = "invalid-content-type"
        case invalidDisposition = "invalid-disposition"
        case invalidParameter = "invalid-parameter"
        case repeatedParameter = "repeated-parameter"
        case invalidEncodedWord = "invalid-encoded-word"
        case rawNonASCII = "raw-non-ascii"
        case unknownCharset = "unknown-charset"
        case malformedText = "malformed-text"
        case controlCharacter = "control-character"
        case unclosedQuote = "unclosed-quote"
        case unclosedComment = "unclosed-comment"
        case unclosedBracket = "unclosed-bracket"
        case invalidAddress = "invalid-address"
        case invalidDate = "invalid-date"
        case dateOutOfRange = "date-out-of-range"
        case missingZone = "missing-zone"
        case invalidMessageID = "invalid-message-id"
        case invalidValue = "invalid-value"
        // Bodies
        case unknownTransferEncoding = "unknown-transfer-encoding"
        case invalidBase64 = "invalid-base64"
        case invalidQuotedPrintable = "invalid-quoted-printable"
        case invalidUuencode = "invalid-uuencode"
        case invalidYEnc = "invalid-yenc"
        case wrongChecksum = "wrong-checksum"
        case invalidTNEF = "invalid-tnef"
        // A limit was reached; `limit` names it.
        case limitReached = "limit-reached"
    }

    /// What is wrong.
    public var kind: Kind
    /// Where, in octets from the start of what was read: the message, or the value of the field.
    public var offset: Int
    /// The limit that was reached, by the name of its property in `MIMELimits`; `nil` otherwise.
    public var limit: String?

    /// Makes a defect.
    public init(_ kind: Kind, at offset: Int, limit: String? = nil) {
        self.kind = kind
        self.offset = offset
        self.limit = limit
    }

    /// The same within something of which this was read from `distance` on.
    func moved(by distance: Int) -> Defect { Defect(kind, at: offset + distance, limit: limit) }
}

extension Defect: CustomStringConvertible {
    /// For people: `invalid-base64 at octet 265`, `limit-reached (partCount) at octet 7`.
    public var description: String {
        kind.rawValue + (limit.map { " (\($0))" } ?? "") + " at octet \(offset)"
    }
}

/// A value that was read tolerantly, and what was wrong with it.
public struct Parsed<Value> {
    /// The best reading of the octets.
    public var value: Value
    /// What was wrong, in the order of the octets. Offsets count from the first octet that was read.
    public var defects: [Defect]

    /// A value and its defects, in any order.
    public init(_ value: Value, defects: [Defect] = []) {
        self.value = value
        self.defects = defects
        if defects.count > 1 { self.defects.sort { $0.offset < $1.offset } }
    }
}

extension Parsed: Sendable where Value: Sendable {}
extension Parsed: Equatable where Value: Equatable {}
extension Parsed: Hashable where Value: Hashable {}
