import MartletBytes

/// The numbers that a search found: UIDs in the answer to a UID command, else sequence numbers. RFC 3501 §7.2.5.
public struct SearchResponse: Hashable, Sendable {
    /// Which response it came in.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `SEARCH`: in no order.
        case search = "SEARCH"
        /// `SORT`: in the order asked for. RFC 5256 §4.
        case sort = "SORT"
    }

    /// Which response it came in.
    public var kind: Kind
    /// The numbers in the order given, each 1 or more.
    public var numbers: [UInt32]
    /// The highest mod-sequence of those messages. RFC 7162 §3.1.5.
    public var modSeq: ModSequence?

    /// Makes one.
    public init(_ kind: Kind = .search, numbers: [UInt32], modSeq: ModSequence? = nil) {
        self.kind = kind
        self.numbers = numbers
        self.modSeq = modSeq
    }
}

extension IMAPCursor {
    // "SEARCH" *(SP nz-number) [SP "(" "MODSEQ" SP mod-sequence-value ")"]
    mutating func searchResponse(
        _ kind: SearchResponse.Kind
    ) throws(ParseFailure) -> SearchResponse {
        var response = SearchResponse(kind, numbers: [])
        while true {
            skipSpaces()
            if isAtEnd { return response }
            if takeIfPresent(UInt8(ascii: "(")) {
                guard wordIfPresent("MODSEQ") else { throw failure("MODSEQ") }
                try space()
                response.modSeq = try modSequence()
                try expect(UInt8(ascii: ")"), "\")\"")
            } else {
                response.numbers.append(try nzNumber())
            }
        }
    }
}
