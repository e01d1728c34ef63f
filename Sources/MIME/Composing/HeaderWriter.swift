import MartletBytes

/// Writes header fields, folded where white space allows: lines stay within 78 octets where they can,
/// and within 998 always. RFC 5322 §2.1.1, §2.2.3.
struct HeaderWriter {
    /// The length that a line should not pass, RFC 5322 §2.1.1.
    static let preferredLineLength = 78
    /// The length that a line with an encoded word may not pass, RFC 2047 §2.
    static let encodedLineLength = 76
    /// The length that no line may pass, RFC 5322 §2.1.1.
    static let lineLimit = 998
    /// The size of a header section that is written or read, in octets.
    static let sectionLimit = 1 << 20

    private(set) var octets: [UInt8] = []
    /// Octets on the current line.
    private(set) var column = 0
    private(set) var isFirstWord = true
    private var lineHasEncodedWord = false
    private var longestLine = 0
    private var field = ""

    /// Starts a field.
    mutating func begin(_ name: String) {
        field = name
        octets += name.utf8
        octets.append(UInt8(ascii: ":"))
        column = name.utf8.count + 1
        isFirstWord = true
        lineHasEncodedWord = false
        longestLine = 0
    }

    /// Appends `word`, which is never cut, behind `blank`, before which the line may be folded.
    ///
    /// The first word stays on the name's line if it can at all: some programs read a first line of
    /// nothing but a name as an empty value.
    mutating func word(
        _ word: some Collection<UInt8>, after blank: some Collection<UInt8> = [ASCII.space],
        isEncoded: Bool = false
    ) {
        let limit =
            isFirstWord && !isEncoded
            ? Self.lineLimit
            : isEncoded || lineHasEncodedWord ? Self.encodedLineLength : Self.preferredLineLength
        if column + blank.count + word.count > limit { fold() }
        octets += blank
        octets += word
        column += blank.count + word.count
        isFirstWord = false
        if isEncoded { lineHasEncodedWord = true }
    }

    /// Ends the field.
    ///
    /// - Throws: `CompositionError` when a word did not fit a line of 998 octets, or the section has
    ///   grown too large.
    mutating func end() throws(CompositionError) {
        guard max(longestLine, column) <= Self.lineLimit else {
            throw CompositionError(.tooLong(limit: Self.lineLimit), field: field)
        }
        octets.append(ASCII.cr)
        octets.append(ASCII.lf)
        guard octets.count <= Self.sectionLimit else {
            throw CompositionError(.tooLong(limit: Self.sectionLimit), field: "The header section")
        }
    }

    /// Writes a field whose value is words to be kept whole.
    mutating func field(_ name: String, words: [some Collection<UInt8>]) throws(CompositionError) {
        begin(name)
        for word in words { self.word(word) }
        try end()
    }

    /// Writes the words of `text` with the blanks between them as they are.
    mutating func plain(_ text: String) {
        let octets = Array(text.utf8)
        var index = 0
        while true {
            let blank = octets[index...].prefix(while: \.isBlank)
            let word = octets[blank.endIndex...].prefix { !$0.isBlank }
            guard !word.isEmpty else { return }
            self.word(word, after: isFirstWord ? [ASCII.space][...] : blank)
            index = word.endIndex
        }
    }

    private mutating func fold() {
        longestLine = max(longestLine, column)
        octets.append(ASCII.cr)
        octets.append(ASCII.lf)
        column = 0
        lineHasEncodedWord = false
    }
}
