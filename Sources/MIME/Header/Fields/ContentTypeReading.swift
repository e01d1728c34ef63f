import MartletBytes

extension ContentTypeField {
    /// Reads a value as it stands in the message, folds included.
    ///
    /// `text` alone, or without a subtype, is `text/plain`, `multipart` is `multipart/mixed`, any other type alone
    /// is `application/octet-stream`; what has no type at all is `fallback`. Parameters are kept in each
    /// case. A value that begins with an encoded word is decoded first. All these have the defect
    /// `invalidContentType`.
    /// - Parameter fallback: what holds for a part without a readable field.
    public static func parse(
        _ value: ArraySlice<UInt8>, fallback: ContentTypeField = .textPlain,
        limits: MIMELimits = .standard
    ) -> Parsed<ContentTypeField> {
        parse(value.span, fallback: fallback, limits: limits)
    }

    /// The same for octets that are somewhere in memory.
    package static func parse(
        _ value: UnsafeRawBufferPointer, fallback: ContentTypeField = .textPlain,
        limits: MIMELimits = .standard
    ) -> Parsed<ContentTypeField> {
        value.withMemoryRebound(to: UInt8.self) {
            parse($0.span, fallback: fallback, limits: limits)
        }
    }

    /// Type and subtype alone, which tell whether a part has parts; `nil` if there is no type.
    static func parseNames(_ value: UnsafeRawBufferPointer) -> (type: String, subtype: String)? {
        value.withMemoryRebound(to: UInt8.self) { parseNames($0.span, mayBeEncoded: true) }
    }

    private static func parseNames(
        _ octets: Span<UInt8>, mayBeEncoded: Bool
    ) -> (type: String, subtype: String)? {
        var reader = StructuredFieldReader(octets, limits: .standard)
        let head = reader.head(in: octets, allowsSlash: true)
        guard !head.name.isEmpty else {
            guard mayBeEncoded,
                let decoded = octets.decodedFromWord(at: head.start, limits: .standard)
            else { return nil }
            return parseNames(decoded.span, mayBeEncoded: false)
        }
        let (type, subtype, _) = names(head, in: octets, fallback: .textPlain)
        return (type, subtype)
    }

    static func parse(
        _ octets: Span<UInt8>, fallback: ContentTypeField, limits: MIMELimits,
        mayBeEncoded: Bool = true
    ) -> Parsed<ContentTypeField> {
        var reader = StructuredFieldReader(octets, limits: limits)
        let head = reader.head(in: octets, allowsSlash: true)
        if head.name.isEmpty, mayBeEncoded,
            let decoded = octets.decodedFromWord(at: head.start, limits: limits)
        {
            var parsed = parse(
                decoded.span, fallback: fallback, limits: limits, mayBeEncoded: false)
            parsed.defects = [Defect(.invalidContentType, at: head.start)]
            return parsed
        }
        let (type, subtype, isOdd) = names(head, in: octets, fallback: fallback)
        if isOdd { reader.defects.append(Defect(.invalidContentType, at: head.start)) }
        let parameters = reader.parameters(in: octets)
        var boundary = reader.boundary
        while let last = boundary?.last, last.isBlank { boundary?.removeLast() }
        return Parsed(
            ContentTypeField(
                type: type, subtype: subtype, parameters: parameters,
                boundary: boundary?.isEmpty == true ? nil : boundary),
            defects: reader.defects)
    }

    private static func names(
        _ head: StructuredFieldReader.Head, in octets: Span<UInt8>, fallback: ContentTypeField
    ) -> (type: String, subtype: String, isOdd: Bool) {
        let type = octets.lowercasedName(head.name)
        let subtype = octets.lowercasedName(head.subname)
        if type.isEmpty { return (fallback.type, fallback.subtype, true) }
        if subtype.isEmpty {
            switch type {
            case "text": return ("text", "plain", true)
            case "multipart": return ("multipart", "mixed", true)
            default: return ("application", "octet-stream", true)
            }
        }
        // The two the wrong way round.
        if subtype == "text", type == "plain" || type == "html" { return (subtype, type, true) }
        return (type, subtype, head.isOdd)
    }
}
