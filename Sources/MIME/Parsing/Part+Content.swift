import MartletBytes
import MartletText

extension Part {
    // MARK: What the part says of its body

    /// The type of the body, from the first `Content-Type` that can be read, or a later one if that is a multipart's and
    /// the first is not; `text/plain` without one, and
    /// `message/rfc822` inside of a digest. RFC 2045 §5.2, RFC 2046 §5.1.5.
    public var contentType: ContentTypeField { parsedContentType.value }

    /// The type of the body and what is wrong with its field.
    public var parsedContentType: Parsed<ContentTypeField> {
        let implied = record.isInDigest ? ContentTypeField.messageRFC822 : .textPlain
        return value(of: record.typeField) {
            ContentTypeField.parse($0, fallback: implied, limits: table.limits)
        }
            ?? Parsed(implied)
    }

    /// How the part wants to be shown; `nil` if it does not say. RFC 2183.
    public var disposition: ContentDispositionField? {
        value(of: record.dispositionField) {
            ContentDispositionField.parse($0, limits: table.limits).value
        }
    }

    /// How the body is encoded; `7bit` if the part does not say. RFC 2045 §6.
    public var transferEncoding: ContentTransferEncoding {
        value(of: record.encodingField) {
            ContentTransferEncoding.parse($0, limits: table.limits).value
        } ?? .sevenBit
    }

    /// The name that the sender gave the file: any text, perhaps with a path in it.
    ///
    /// From `Content-Disposition`, RFC 2183 §2.3, or `Content-Type`, RFC 2046 §4.5.1; each may also call it as the other
    /// does.
    public var fileName: String? {
        let disposition = disposition
        if let name = disposition?.parameters["filename"]?.nonEmpty { return name }
        let type = contentType
        return type.parameters["name"]?.nonEmpty ?? disposition?.fileName?.nonEmpty
            ?? type.parameters["filename"]?.nonEmpty
    }

    /// Reads the value of a field where it stands; `nil` without the field.
    private func value<Value>(
        of field: Int32, _ read: (UnsafeRawBufferPointer) -> Value
    ) -> Value? {
        guard field >= 0 else { return nil }
        let record = table.fields[Int(field)]
        return octets.withUnsafeBytes { read(record.value(in: $0)) }
    }

    // MARK: The body

    /// The octets of the body, decoded; those of a container as they stand. Offsets of defects are of the body.
    public func decodedBody() -> Parsed<[UInt8]> {
        let encoding = kind == .leaf ? transferEncoding : .binary
        return withRawBody { BodyDecoding.decode($0, encoding, limits: table.limits) }
    }

    /// The text of the body, decoded from its transfer encoding and its charset; line ends are as they stand.
    ///
    /// The charset is the one the part names. Where it names none, or one that nobody knows, or one in which the octets
    /// cannot be, it is found out: from an HTML text's own words, then from the octets.
    /// - Parameter detector: guesses the charset of octets that are in none that can be told without guessing; see
    ///   `MartletCharsetDetection`.
    public func text(detector: CharsetDetector? = nil) -> Parsed<String> {
        let type = contentType
        let decoding = TextDecoding(
            label: type.charset, isHTML: type.type == "text" && type.subtype == "html",
            detector: detector)
        let encoding = kind == .leaf ? transferEncoding : .binary
        // Bodies that are not encoded are read where they are.
        if encoding.isIdentity { return withRawBody { decoding.text(of: $0) } }
        var body = decodedBody()
        let text = body.value.withUnsafeBytes { decoding.text(of: $0) }
        // Offsets of the text's defects are of the decoded octets; the body's come first.
        body.defects += text.defects
        return Parsed(text.value, defects: body.defects)
    }
}
