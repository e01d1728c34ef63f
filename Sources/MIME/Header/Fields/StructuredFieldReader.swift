import MartletBytes

/// Reads fields of the form `name/subname; parameter=value; …`: `Content-Type`, `Content-Disposition`,
/// `Auto-Submitted`.
struct StructuredFieldReader {
    /// The name that the field begins with, and the one behind its slash. Empty ones are missing.
    struct Head {
        var start: Int
        var name: Range<Int>
        var subname: Range<Int>
        /// Whether there was something else that had to be passed over.
        var isOdd = false
    }

    var defects: [Defect] = []
    private(set) var boundary: [UInt8]?
    let limits: MIMELimits
    var cursor: ParameterCursor

    init(_ octets: Span<UInt8>, limits: MIMELimits) {
        self.limits = limits
        let end = limits.readableCount(of: octets.count, &defects)
        cursor = ParameterCursor(index: 0, end: end)
    }

    /// Reads up to the first semicolon, or parameter where the semicolon is missing.
    mutating func head(in octets: Span<UInt8>, allowsSlash: Bool) -> Head {
        skipBlanksAndQuotes(in: octets)
        var head = Head(
            start: cursor.index, name: cursor.index..<cursor.index,
            subname: cursor.index..<cursor.index)
        // A parameter at once: there is no name.
        if cursor.isAtParameter(in: octets) { return head }
        head.name = token(in: octets)
        skipBlanksAndQuotes(in: octets)
        if allowsSlash, cursor.skip(UInt8(ascii: "/"), in: octets) {
            skipBlanksAndQuotes(in: octets)
            while cursor.skip(UInt8(ascii: "/"), in: octets) {
                head.isOdd = true
                skipBlanksAndQuotes(in: octets)
            }
            head.subname = token(in: octets)
            skipBlanksAndQuotes(in: octets)
        }
        while cursor.index < cursor.end, octets[cursor.index] != UInt8(ascii: ";"),
            !cursor.isAtParameter(in: octets)
        {
            head.isOdd = true
            cursor.skipWord(in: octets)
        }
        return head
    }

    /// Reads the parameters behind the head.
    mutating func parameters(in octets: Span<UInt8>) -> HeaderParameters {
        if cursor.index >= cursor.end { return HeaderParameters() }
        var reader = ParameterReader(limits: limits)
        reader.read(cursor.index..<cursor.end, of: octets)
        let parameters = reader.finish()
        boundary = reader.boundary
        defects += reader.defects
        return parameters
    }

    private mutating func skipBlanksAndQuotes(in octets: Span<UInt8>) {
        cursor.skipBlanks(in: octets)
        while cursor.skip(ASCII.quote, in: octets) { cursor.skipBlanks(in: octets) }
    }

    private mutating func token(in octets: Span<UInt8>) -> Range<Int> {
        let start = cursor.index
        while cursor.index < cursor.end, isTokenOctet(octets[cursor.index]) { cursor.index += 1 }
        return start..<cursor.index
    }
}

extension ParameterCursor {
    /// Skips `octet` if it is next.
    mutating func skip(_ octet: UInt8, in octets: Span<UInt8>) -> Bool {
        guard index < end, octets[index] == octet else { return false }
        index += 1
        return true
    }

    /// Skips one octet at least, and what belongs to it, up to white space, a comment or a semicolon.
    mutating func skipWord(in octets: Span<UInt8>) {
        index += 1
        while index < end, !octets[index].isFoldingSpace, octets[index] != UInt8(ascii: ";") {
            index += 1
        }
        skipBlanks(in: octets)
    }

    /// Whether a parameter starts here.
    func isAtParameter(in octets: Span<UInt8>) -> Bool {
        isName(at: index, in: octets, known: false)
    }
}

extension Span<UInt8> {
    /// The whole value decoded, if an encoded word starts at `start`, where no grammar of a structured field has one.
    func decodedFromWord(at start: Int, limits: MIMELimits) -> [UInt8]? {
        guard start + 1 < count, self[start] == ASCII.equals, self[start + 1] == UInt8(ascii: "?")
        else { return nil }
        return Array(HeaderText.decode(self, limits: limits).value.utf8)
    }
}
