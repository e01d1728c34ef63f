import MartletBytes

extension Attachment {
    /// A part as an attachment of another message: its octets without their transfer encoding, its name, and
    /// how it wants to be shown.
    ///
    /// - Parameter isRelated: whether the HTML shows it, so that it is inline unless it says otherwise.
    init(of part: Part, isRelated: Bool = false) {
        let fileName = part.fileName ?? ""
        let kind = part.disposition?.kind
        self.init(
            name: Self.name(fileName), contentType: ContentType(of: part, fileName: fileName),
            content: OctetArray(Self.content(of: part)),
            disposition: kind == .inline || (kind == nil && isRelated) ? .inline : .attachment,
            contentID: part.contentID?.messageID)
    }

    private static func content(of part: Part) -> [UInt8] {
        guard part.kind == .message, !part.transferEncoding.isIdentity,
            let message = part.embeddedMessage
        else { return part.decodedBody().value }
        return message.octets[message.range]
    }

    /// `name` as it can be written: without line breaks, and cut at its end if it is too long.
    private static func name(_ name: String) -> String {
        let cut = name.cut(toOctets: nameLimitInOctets)
        let octets = cut.utf8.map { octet in
            octet == ASCII.cr || octet == ASCII.lf || octet == 0 ? ASCII.underscore : octet
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

extension String {
    /// The text, cut at its end if it has more octets than `limit`, whole characters at a time.
    func cut(toOctets limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var cut = ""
        for character in self {
            guard cut.utf8.count + character.utf8.count <= limit else { break }
            cut.append(character)
        }
        return cut
    }
}

extension ContentType {
    /// The type of a part, without the name that its file has anyway.
    fileprivate init(of part: Part, fileName: String) {
        guard let type = part.contentType.contentType else {
            self = .octetStream
            return
        }
        self = ContentType(known: type.type, type.subtype)
        add(part.contentType.parameters.lazy.filter { $0.name != "name" || $0.value != fileName })
    }
}
