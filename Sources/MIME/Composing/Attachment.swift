import MartletBytes

/// A file that travels with a message.
public struct Attachment: Sendable {
    /// The longest file name in octets.
    public static let nameLimitInOctets = 1_024

    /// How a reader shows it. RFC 2183 §2.
    public enum Disposition: String, Hashable, Sendable {
        /// To be saved or opened on request.
        case attachment
        /// To be shown in place.
        case inline
    }

    /// The file name shown to the recipient, in any script; a path is not taken off.
    public var name: String
    /// What the content is.
    public var contentType: ContentType
    /// The content. It is not read before the message is sent, unless it is in memory anyway.
    public var content: any OctetSource
    /// How a reader shows it.
    public var disposition: Disposition
    /// The name under which the HTML shows it, see `contentURL`. RFC 2392.
    ///
    /// An inline attachment with a content ID travels beside the HTML (`multipart/related`); every other one
    /// behind the texts.
    public var contentID: MessageID?

    /// Makes an attachment.
    ///
    /// Messages (`message/rfc822`) and other `message` or `multipart` types may not be base64
    /// (RFC 2046 §5.2.1): they go as they are if their octets are in memory and fit for it, and as
    /// `application/octet-stream` otherwise.
    /// - Parameters:
    ///   - name: the file name to show.
    ///   - contentType: `nil` takes the type that the name's extension stands for.
    ///   - content: the octets; their number must not change until the message is sent.
    ///   - disposition: how a reader shows it.
    ///   - contentID: the name under which the HTML shows it.
    public init(
        name: String, contentType: ContentType? = nil, content: any OctetSource,
        disposition: Disposition = .attachment, contentID: MessageID? = nil
    ) {
        self.name = name
        self.contentType = contentType ?? .forFileName(name)
        self.content = content
        self.disposition = disposition
        self.contentID = contentID
    }

    /// Whether it travels beside the HTML.
    var isRelatedToHTML: Bool { disposition == .inline && contentID != nil }
}
