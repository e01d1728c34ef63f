/// Text that was made of octets, and what was wrong with them.
public struct DecodedText: Hashable, Sendable {
    /// The text. It never holds a byte order mark at its start.
    public var text: String
    /// How it was read.
    public var report: DecodingReport

    /// Text and how it was read.
    public init(text: String, report: DecodingReport) {
        self.text = text
        self.report = report
    }

    /// What the octets were read as.
    public var charset: Charset { report.charset }
    /// How many pieces of the octets were no characters.
    public var malformedCount: Int { report.malformedCount }
    /// Where the first of them is, in octets from the start.
    public var firstMalformedOffset: Int? { report.firstMalformedOffset }
}

/// How octets were decoded.
public struct DecodingReport: Hashable, Sendable {
    /// What the octets were read as: not what their label says, if they begin with a byte order mark or
    /// the system has no table for that charset.
    public var charset: Charset
    /// How many pieces of the octets were no characters. Each is a U+FFFD in the text.
    public var malformedCount: Int
    /// Where the first of them is, in octets from the start. In encodings with shifts, within a few octets.
    public var firstMalformedOffset: Int?

    /// A report.
    public init(charset: Charset, malformedCount: Int = 0, firstMalformedOffset: Int? = nil) {
        self.charset = charset
        self.malformedCount = malformedCount
        self.firstMalformedOffset = firstMalformedOffset
    }
}
