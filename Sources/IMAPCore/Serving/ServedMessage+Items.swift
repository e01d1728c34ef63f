import MartletMIME

extension ServedMessage {
    /// What FETCH answers of what its octets tell; `nil` for what they do not: UID, flags, dates and the like.
    ///
    /// - Throws: `UnknownTransferEncoding` for a `BINARY` that cannot be decoded.
    package mutating func item(
        _ attribute: FetchAttribute
    ) throws(UnknownTransferEncoding) -> FetchItem? {
        switch attribute {
        case .size: return .size(UInt64(octets.count))
        case .envelope: return .envelope(.value(MessageEnvelope(of: header())))
        case .bodyStructure: return .bodyStructure(.value(BodyStructure(of: message())))
        case .body: return .body(.value(BodyStructure(of: message())))
        case .section(let section, let range, _):
            let content = self.section(section).cut(to: range)
            return .section(section, origin: range?.origin, content.messageData)
        case .binary(let part, let range, _):
            let content = try binary(part).cut(to: range)
            return .binary(part, origin: range?.origin, content.messageData)
        case .binarySize(let part):
            return .binarySize(part, UInt64(try binary(part).sizeInOctets))
        case .rfc822(let part): return .rfc822(part, section(part).messageData)
        case .preview: return .preview(preview())
        default: return nil
        }
    }

    /// The beginning of what a person would read, at most `previewLimit` characters. RFC 8970 §3.
    package mutating func preview() -> String {
        let text = message().previewText(limit: Self.previewLimit)
        let scalars = text.unicodeScalars
        guard scalars.count > Self.previewLimit else { return text }
        // A character that is several of Unicode's is not cut.
        var end = text.startIndex
        var count = 0
        for index in text.indices {
            count += text[index].unicodeScalars.count
            if count > Self.previewLimit { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }

    /// Characters of a preview, as Unicode counts them. RFC 8970 §3.1.
    package static let previewLimit = 200
}
