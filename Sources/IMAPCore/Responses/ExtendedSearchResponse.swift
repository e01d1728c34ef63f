import MartletBytes

/// What a search found, in the form asked for. RFC 9051 §7.3.4, RFC 4731, RFC 5267, RFC 6203, RFC 7377, RFC 9394.
public struct ExtendedSearchResponse: Hashable, Sendable {
    /// The tag of the command that this answers; without one it answers none.
    public var tag: String?
    /// Whether the numbers are UIDs.
    public var isUID: Bool
    /// The mailbox that was searched, in a search of several. RFC 7377 §2.1.
    public var mailbox: MailboxName?
    /// Of that mailbox.
    public var uidValidity: UIDValidity?
    /// The smallest number found.
    public var minimum: UInt32?
    /// The largest number found.
    public var maximum: UInt32?
    /// All numbers found; in the order asked for in the answer to SORT.
    public var all: MessageNumberList?
    /// How many were found.
    public var count: UInt64?
    /// The highest mod-sequence of those.
    public var modSeq: ModSequence?
    /// A part of the result. RFC 9394 §3.1, RFC 5267 §4.4.
    public var partial: PartialResult?
    /// Changes of a result that the server keeps up to date, in their order. RFC 5267 §4.3.
    public var updates: [SearchUpdate]
    /// How well each number of `all` fits, 1 to 100. RFC 6203 §4.
    public var relevancies: [UInt32]
    /// What is not known here.
    public var others: [ExtendedItem]

    /// Makes one.
    public init(tag: String? = nil, isUID: Bool = false) {
        self.tag = tag
        self.isUID = isUID
        updates = []
        relevancies = []
        others = []
    }
}

/// A part of a search's result. RFC 9394 §3.1.
public struct PartialResult: Hashable, Sendable {
    /// Which part, as it was asked for: places from 1, or from the end where negative.
    public var first: Int64
    /// The place of the last.
    public var last: Int64
    /// The numbers; `nil` where that part is empty.
    public var numbers: MessageNumberList?

    /// Makes one.
    public init(first: Int64, last: Int64, numbers: MessageNumberList?) {
        self.first = first
        self.last = last
        self.numbers = numbers
    }
}

/// A change of a result that the server keeps up to date. RFC 5267 §4.3.
public struct SearchUpdate: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Messages came into the result.
        case added = "ADDTO"
        /// Messages left it.
        case removed = "REMOVEFROM"
    }

    /// What happened.
    public var kind: Kind
    /// The place in the result from 1; 0 where it has no order.
    public var position: UInt32
    /// The messages.
    public var numbers: MessageNumberList

    /// Makes one.
    public init(_ kind: Kind, position: UInt32, numbers: MessageNumberList) {
        self.kind = kind
        self.position = position
        self.numbers = numbers
    }
}

extension IMAPCursor {
    // "ESEARCH" [SP search-correlator] [SP "UID"] *(SP search-return-data)
    mutating func extendedSearchResponse() throws(ParseFailure) -> ExtendedSearchResponse {
        var response = ExtendedSearchResponse()
        if next == UInt8(ascii: "(") {
            try list { cursor throws(ParseFailure) in try cursor.correlatorItem(of: &response) }
        }
        skipSpaces()
        if wordIfPresent("UID") { response.isUID = true }
        try elementsToEnd { cursor throws(ParseFailure) in try cursor.searchItem(of: &response) }
        return response
    }

    // search-correlator = SP "(" "TAG" SP tag-string ")" ; RFC 7377 §4: and MAILBOX, UIDVALIDITY
    private mutating func correlatorItem(
        of response: inout ExtendedSearchResponse
    ) throws(ParseFailure) {
        let start = index
        switch try keyword() {
        case "TAG":
            try space()
            response.tag = try astring().text
        case "MAILBOX":
            try space()
            response.mailbox = try mailbox()
        case "UIDVALIDITY":
            try space()
            response.uidValidity = UIDValidity(try number())
        default:
            index = start
            response.others.append(try extendedItem())
        }
    }

    private mutating func searchItem(
        of response: inout ExtendedSearchResponse
    ) throws(ParseFailure) {
        let start = index
        let name = try keyword()
        skipSpaces()
        switch name {
        case "MIN": response.minimum = try nzNumber()
        case "MAX": response.maximum = try nzNumber()
        case "ALL":
            // An empty set is not allowed, and means nothing found.
            response.all = next.isDigit ? try messageNumberList() : MessageNumberList()
        case "COUNT": response.count = try number64()
        case "MODSEQ": response.modSeq = try modSequence()
        case "PARTIAL": response.partial = try partialResult()
        case "ADDTO", "REMOVEFROM":
            let kind: SearchUpdate.Kind = name == "ADDTO" ? .added : .removed
            try list { cursor throws(ParseFailure) in
                let position = try cursor.number()
                try cursor.space()
                response.updates.append(
                    SearchUpdate(kind, position: position, numbers: try cursor.messageNumberList()))
            }
        case "RELEVANCY":
            try list { cursor throws(ParseFailure) in
                response.relevancies.append(try cursor.number())
            }
        default:
            index = start
            response.others.append(try extendedItem())
        }
    }

    // "PARTIAL" SP "(" partial-range SP partial-results ")" ; RFC 9394 §3.1
    private mutating func partialResult() throws(ParseFailure) -> PartialResult {
        try expect(UInt8(ascii: "("), "\"(\"")
        let first = try place()
        try expect(UInt8(ascii: ":"), "\":\"")
        let last = try place()
        try space()
        let numbers = nilIfPresent() ? nil : try messageNumberList()
        try expect(UInt8(ascii: ")"), "\")\"")
        return PartialResult(first: first, last: last, numbers: numbers)
    }

    private mutating func place() throws(ParseFailure) -> Int64 {
        let isFromEnd = takeIfPresent(UInt8(ascii: "-"))
        let number = Int64(try nzNumber())
        return isFromEnd ? -number : number
    }
}
