/// A part that has parts.
enum ContainerType: Equatable {
    case multipart(isDigest: Bool)
    case message

    /// By the names in a `Content-Type` that can be read; `nil` if the part has no parts. RFC 2046 §5, RFC 6532 §3.7.
    init?(_ names: (type: String, subtype: String)?, isInDigest: Bool) {
        switch (names?.type, names?.subtype) {
        case ("multipart", let subtype): self = .multipart(isDigest: subtype == "digest")
        case ("message", "rfc822"), ("message", "global"), ("message", "news"): self = .message
        case (nil, _) where isInDigest: self = .message
        default: return nil
        }
    }
}
