import MartletBytes

/// The fields of a part. Servers leave some out at the end, and some in the middle: a field is recognised by what it looks
/// like as far as that is possible.
extension IMAPCursor {
    /// Whether the body ends here.
    private var isAtClose: Bool { next == UInt8(ascii: ")") }

    /// Skips to the next field; `false` at the end of the body.
    private mutating func nextField() throws(ParseFailure) -> Bool {
        skipSpaces()
        guard !isAtEnd else { throw failure("\")\"") }
        return !isAtClose
    }

    // body-fields = body-fld-param SP body-fld-id SP body-fld-desc SP body-fld-enc SP body-fld-octets
    /// QUIRK(short-body): fields at the end may be missing.
    mutating func singlePartFields(of part: inout BodyStructurePart) throws(ParseFailure) {
        guard try nextField() else { throw failure("body-fld-param") }
        part.rawParameters = try bodyParameters()
        guard try nextField() else { return }
        part.contentIDOctets = try nstringOctets()
        guard try nextField() else { return }
        part.descriptionOctets = try nstringOctets()
        guard try nextField() else { return }
        part.transferEncoding = try transferEncoding()
        guard try nextField() else { return }
        part.sizeInOctets = try bodyNumber()
        guard part.type != "message", try nextField() else { return }
        if next.isDigit || part.type == "text" && (isAtNil || isAtQuotedNumber) {
            part.lineCount = try bodyNumber()
        }
    }

    private var isAtQuotedNumber: Bool {
        var cursor = self
        guard cursor.takeIfPresent(ASCII.quote), cursor.decimal() != nil else { return false }
        return cursor.next == ASCII.quote
    }

    // body-fld-enc = DQUOTE ("7BIT" / "8BIT" / "BINARY" / "BASE64" / "QUOTED-PRINTABLE") DQUOTE / string
    private mutating func transferEncoding() throws(ParseFailure) -> String {
        // The one name that is too long to be kept without memory of its own, and in every second message.
        if wordIfPresent("\"QUOTED-PRINTABLE\"") { return "quoted-printable" }
        return try nstringInLowercase() ?? ""
    }

    // body-type-msg = media-message SP body-fields SP envelope SP body SP body-fld-lines
    /// What a message has between its size and its body. Some servers treat it as any other part.
    ///
    /// - Returns: whether a body is next.
    mutating func messageHead(of part: inout BodyStructurePart) throws(ParseFailure) -> Bool {
        guard try nextField() else { return false }
        if next == UInt8(ascii: "("), !isAtDisposition {
            part.envelope = try damageable { cursor throws(ParseFailure) in try cursor.envelope() }
        } else if isAtNil {
            _ = nilIfPresent()
        } else {
            return false
        }
        guard try nextField() else { return false }
        if next == UInt8(ascii: "("), !isAtDisposition { return true }
        if isAtNil { _ = nilIfPresent() }
        return false
    }

    /// Whether a disposition is next: a word and parameters in parentheses, or `NIL`. Neither an envelope nor a body can
    /// begin so.
    private var isAtDisposition: Bool {
        var cursor = self
        guard cursor.takeIfPresent(UInt8(ascii: "(")), let kind = try? cursor.stringIfPresent()
        else {
            return false
        }
        let name = kind.lowercasedText
        guard name == "attachment" || name == "inline" else { return false }
        cursor.skipSpaces()
        return cursor.next == UInt8(ascii: "(") || cursor.next == UInt8(ascii: ")")
            || cursor.isAtNil
    }

    /// What stands behind the body of a message, with the parenthesis that closes it.
    mutating func messageEnd(of part: inout BodyStructurePart) throws(ParseFailure) {
        if try nextField(), next.isDigit || isAtNil { part.lineCount = try bodyNumber() }
        try singlePartEnd(of: &part)
    }

    // body-ext-1part = body-fld-md5 [SP body-fld-dsp [SP body-fld-lang [SP body-fld-loc *(SP body-extension)]]]
    /// What stands at the end of a part or message, with the parenthesis that closes it.
    mutating func singlePartEnd(of part: inout BodyStructurePart) throws(ParseFailure) {
        if part.lineCount == nil, try nextField(), next.isDigit {
            part.lineCount = try bodyNumber()
        }
        if try nextField(), next != UInt8(ascii: "(") || has(UInt8(ascii: ")"), at: 1) {
            part.md5 = try nstringOctets()
        }
        try commonEnd(of: &part)
    }

    // body-type-mpart = 1*body SP media-subtype [SP body-fld-param [SP body-fld-dsp [SP body-fld-lang [SP body-fld-loc
    //                   *(SP body-extension)]]]]
    /// What stands behind the parts of a multipart, with the parenthesis that closes it.
    mutating func multipartEnd(of part: inout BodyStructurePart) throws(ParseFailure) {
        if try nextField() { part.subtype = try nstringInLowercase() ?? "" }
        if try nextField() { part.rawParameters = try bodyParameters() }
        try commonEnd(of: &part)
    }

    private mutating func commonEnd(of part: inout BodyStructurePart) throws(ParseFailure) {
        if try nextField() { part.rawDisposition = try bodyDisposition() }
        if try nextField() { part.languages = try bodyLanguages() }
        if try nextField() { part.locationOctets = try nstringOctets() }
        if try nextField() {
            let start = index
            while try nextField() {
                guard anyValue() != nil else { throw failure("body-extension") }
            }
            part.extensionOctets = Array(octets[start..<index])
        }
        try expect(UInt8(ascii: ")"), "\")\"")
    }

    // body-fld-param = "(" string SP string *(SP string SP string) ")" / nil
    private mutating func bodyParameters() throws(ParseFailure) -> [BodyStructurePart.Parameter] {
        if nilIfPresent() { return [] }
        var parameters: [BodyStructurePart.Parameter] = []
        try list { cursor throws(ParseFailure) in
            let name = try cursor.nstringText()
            cursor.skipSpaces()
            let value = cursor.isAtClose ? nil : try cursor.nstringOctets()
            if let name { parameters.append(.init(name: name, value: value ?? [])) }
        }
        return parameters
    }

    // body-fld-dsp = "(" string SP body-fld-param ")" / nil
    private mutating func bodyDisposition() throws(ParseFailure) -> BodyStructurePart.Disposition? {
        guard next == UInt8(ascii: "(") else {
            return try nstring().map { .init(kind: $0.lowercasedText) }
        }
        index += 1
        skipSpaces()
        if takeIfPresent(UInt8(ascii: ")")) { return nil }
        let kind = try nstringInLowercase()
        skipSpaces()
        let parameters = isAtClose ? [] : try bodyParameters()
        skipSpaces()
        try expect(UInt8(ascii: ")"), "\")\"")
        return kind.map { .init(kind: $0, parameters: parameters) }
    }

    // body-fld-lang = nstring / "(" string *(SP string) ")"
    private mutating func bodyLanguages() throws(ParseFailure) -> [String] {
        guard next == UInt8(ascii: "(") else { return try nstring().map { [$0.text] } ?? [] }
        var languages: [String] = []
        try list { cursor throws(ParseFailure) in
            if let language = try cursor.nstring() { languages.append(language.text) }
        }
        return languages
    }

    /// A number, in quotes or not; `nil` for `NIL` and numbers below 0.
    private mutating func bodyNumber() throws(ParseFailure) -> UInt64? {
        if next.isDigit { return try number64() }
        guard let text = try nstring() else { return nil }
        guard text.first == ASCII.hyphen || text.allSatisfy(\.isDigit) else {
            throw failure("number64")
        }
        return UInt64(text.text)
    }
}
