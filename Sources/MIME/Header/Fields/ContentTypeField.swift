import MartletBytes

/// The value of a `Content-Type` field as it was read. RFC 2045 §5.
///
/// Reading takes what is there, however odd: names of any length, values with any character.
/// `ContentType` is its strict sister for composing; `contentType` makes one of this.
public struct ContentTypeField: Hashable, Sendable {
    /// The type in lower case, such as `text`.
    public var type: String
    /// The subtype in lower case, such as `plain`.
    public var subtype: String
    /// The parameters, their values decoded.
    public var parameters: HeaderParameters
    /// The octets of the parameter `boundary`: unquoted, without blanks at the end, which RFC 2046 §5.1.1
    /// forbids and transport drops; `nil` without one, or if it is empty.
    public var boundary: [UInt8]?

    /// `text/plain`: what holds without a field, and for one that cannot be read. RFC 2045 §5.2.
    public static let textPlain = ContentTypeField(type: "text", subtype: "plain")
    /// `message/rfc822`: what holds inside of a digest. RFC 2046 §5.1.5.
    public static let messageRFC822 = ContentTypeField(type: "message", subtype: "rfc822")

    /// Makes a value of a type and subtype in lower case.
    public init(
        type: String, subtype: String, parameters: HeaderParameters = HeaderParameters(),
        boundary: [UInt8]? = nil
    ) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
        self.boundary = boundary
    }

    /// The label of the charset, as it was written.
    public var charset: String? { parameters["charset"] }
    /// Whether the body is parts between boundaries.
    public var isMultipart: Bool { type == "multipart" }

    /// The value for composing: names are cut off that cannot be written, values that are too long.
    public var contentType: ContentType? {
        guard var contentType = try? ContentType(type + "/" + subtype) else { return nil }
        contentType.add(parameters)
        return contentType
    }
}

extension ContentTypeField: CustomStringConvertible {
    /// `type/subtype` without parameters.
    public var description: String { type + "/" + subtype }
}
