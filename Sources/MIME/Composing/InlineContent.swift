import MartletBytes

// Images and other files that the HTML shows. RFC 2387, RFC 2392.

extension Attachment {
    // cid-url = "cid" ":" content-id, percent-encoded ; RFC 2392 §2
    /// The URL by which the HTML shows the attachment, such as `cid:abc@example.org`; `nil` without a
    /// content ID.
    public var contentURL: String? {
        guard let contentID else { return nil }
        var url = [UInt8]("cid:".utf8)
        for octet in contentID.text.utf8 {
            if octet.isLetter || octet.isDigit || "-._~@$+!*".utf8.contains(octet) {
                url.append(octet)
            } else {
                url.append(UInt8(ascii: "%"))
                Hex.append(octet, to: &url)
            }
        }
        return String(decoding: url, as: UTF8.self)
    }
}

extension MessageID {
    /// Makes a new content ID of 128 random bits: it has to be unique in the world, as a message ID has to
    /// be. RFC 2045 §7.
    public static func contentID(random: inout some RandomNumberGenerator) -> MessageID {
        let digits = Hex.digits(of: random.next()) + Hex.digits(of: random.next())
        let text = String(decoding: digits, as: UTF8.self) + "@inline.invalid"
        guard let contentID = try? MessageID(text) else {
            preconditionFailure("hexadecimal digits are a message ID")
        }
        return contentID
    }
}

extension OutgoingMessage {
    /// Adds a file that the HTML shows.
    ///
    ///     let logo = message.embed(octets, name: "logo.png", random: &random)
    ///     message.html = "<p><img src=\"\(logo)\" alt=\"Logo\">"
    ///
    /// - Parameters:
    ///   - content: the octets.
    ///   - name: the file name.
    ///   - contentType: `nil` takes the type that the name's extension stands for.
    ///   - random: where the content ID comes from.
    /// - Returns: the URL for the HTML.
    public mutating func embed(
        _ content: any OctetSource, name: String, contentType: ContentType? = nil,
        random: inout some RandomNumberGenerator
    ) -> String {
        let attachment = Attachment(
            name: name, contentType: contentType, content: content, disposition: .inline,
            contentID: .contentID(random: &random))
        attachments.append(attachment)
        return attachment.contentURL ?? ""
    }

    /// The content IDs that the HTML shows and no attachment has: pictures that will be missing.
    ///
    /// Such a message is composed all the same, since only a browser knows what in HTML is a link: ask before,
    /// where a missing picture is a mistake.
    public var missingContentIDs: [String] {
        guard let html else { return [] }
        let known = Set(attachments.compactMap(\.contentID?.text))
        var seen = known
        return contentIDs(inHTML: html).filter { seen.insert($0).inserted }
    }
}

/// The content IDs of the `cid:` links in `html`, decoded, in their order.
func contentIDs(inHTML html: String) -> [String] {
    let octets = [UInt8](html.utf8)
    var found: [String] = []
    var index = 0
    while index + 1 < octets.count {
        // A link begins behind a quote, a parenthesis of CSS, an equals sign or a blank.
        guard octets[index] == UInt8(ascii: ":"), index >= 3,
            octets[index - 3].lowercased == UInt8(ascii: "c"),
            octets[index - 2].lowercased == UInt8(ascii: "i"),
            octets[index - 1].lowercased == UInt8(ascii: "d"),
            index == 3 || "\"'(= \t\r\n".utf8.contains(octets[index - 4])
        else {
            index += 1
            continue
        }
        let link = octets[(index + 1)...].prefix {
            $0 > ASCII.space && !"\"'()<>".utf8.contains($0)
        }
        index = link.endIndex
        if !link.isEmpty {
            // The only character reference that a content ID needs.
            let text = String(decoding: link, as: UTF8.self).replacing("&amp;", with: "&")
            found.append(text.percentDecoded)
        }
    }
    return found
}
