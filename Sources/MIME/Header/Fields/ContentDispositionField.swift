import MartletBytes

/// The value of a `Content-Disposition` field as it was read. RFC 2183.
public struct ContentDispositionField: Hashable, Sendable {
    /// How a part wants to be shown. Others than those named here are kept.
    public struct Kind: Hashable, Sendable {
        /// The name in lower case; empty where the field has none.
        public var name: String

        /// Shown with the message.
        public static let inline = Kind("inline")
        /// Shown only when somebody asks for it.
        public static let attachment = Kind("attachment")
        /// A field of a form. RFC 7578.
        public static let formData = Kind("form-data")

        /// Makes a kind of a name in lower case.
        public init(_ name: String) { self.name = name }
    }

    /// How the part wants to be shown, as it was written.
    public var kind: Kind
    /// The parameters, their values decoded.
    public var parameters: HeaderParameters

    /// Makes a value.
    public init(_ kind: Kind, parameters: HeaderParameters = HeaderParameters()) {
        self.kind = kind
        self.parameters = parameters
    }

    /// Whether the part is to be treated as an attachment: every kind is but `inline`. RFC 2183 §2.8.
    public var isAttachment: Bool { kind != .inline }
    /// The name that the sender gave the file: any text. It must not choose a path. The `name` of a field of a form
    /// is none. RFC 7578 §4.2.
    public var fileName: String? {
        parameters["filename"] ?? (kind == .formData ? nil : parameters["name"])
    }
    /// How many octets the sender says the file has. RFC 2183 §2.7.
    public var sizeInOctets: Int? {
        parameters["size"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension ContentDispositionField {
    /// Reads a value as it stands in the message, folds included.
    ///
    /// A kind that is missing or cannot be read is a defect, `invalidDisposition`, and counts as an
    /// attachment. A field that begins with an encoded word is decoded first.
    public static func parse(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<ContentDispositionField> {
        parse(value.span, limits: limits)
    }

    /// The same for octets that are somewhere in memory.
    package static func parse(
        _ value: UnsafeRawBufferPointer, limits: MIMELimits = .standard
    ) -> Parsed<ContentDispositionField> {
        value.withMemoryRebound(to: UInt8.self) { parse($0.span, limits: limits) }
    }

    static func parse(
        _ octets: Span<UInt8>, limits: MIMELimits, mayBeEncoded: Bool = true
    ) -> Parsed<ContentDispositionField> {
        var reader = StructuredFieldReader(octets, limits: limits)
        let head = reader.head(in: octets, allowsSlash: false)
        if mayBeEncoded, let decoded = octets.decodedFromWord(at: head.start, limits: limits) {
            var parsed = parse(decoded.span, limits: limits, mayBeEncoded: false)
            parsed.defects = [Defect(.invalidDisposition, at: head.start)]
            return parsed
        }
        let kind = Kind(octets.lowercasedName(head.name))
        if kind.name.isEmpty || head.isOdd {
            reader.defects.append(Defect(.invalidDisposition, at: head.start))
        }
        let parameters = reader.parameters(in: octets)
        return Parsed(
            ContentDispositionField(kind, parameters: parameters), defects: reader.defects)
    }
}
