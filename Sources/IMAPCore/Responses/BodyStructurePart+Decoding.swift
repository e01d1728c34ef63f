import MartletBytes
import MartletMIME

/// What a part says of itself, decoded as the fields of its header would be.
extension BodyStructurePart {
    /// The type with its parameters: charsets, encoded words and sections of RFC 2231 are decoded.
    public var contentType: ContentTypeField {
        let head = type.isEmpty ? "application/octet-stream" : type + "/" + subtype
        return ContentTypeField.parse(Self.field(head, rawParameters)[...]).value
    }

    /// How the part wants to be shown; `nil` where it does not say. RFC 2183.
    public var disposition: ContentDispositionField? {
        rawDisposition.map {
            ContentDispositionField.parse(Self.field($0.kind, $0.parameters)[...]).value
        }
    }

    /// The name that the sender gave the file: any text. It must not choose a path.
    public var fileName: String? {
        let name = disposition?.fileName ?? contentType.parameters["name"]
        return name == "" ? nil : name
    }

    /// How the body is encoded; `7bit` where the server does not say.
    public var encoding: ContentTransferEncoding {
        ContentTransferEncoding.parse(Array(transferEncoding.utf8)[...]).value
    }

    /// The part's ID, by which others refer to it. RFC 2045 §7.
    public var contentID: MessageReference? {
        contentIDOctets.flatMap { MessageReference.parse($0[...]).value }
    }

    /// What the sender wrote about the part, for people. RFC 2045 §8.
    public var contentDescription: String? {
        descriptionOctets.map { HeaderText.decode($0[...]).value }
    }

    /// Whether the body is parts.
    public var isMultipart: Bool { type == "multipart" }

    /// The value of a field as it stood in the message's header, as far as a server tells.
    private static func field(_ head: String, _ parameters: [Parameter]) -> [UInt8] {
        var field = head.utf8.filter { $0 != UInt8(ascii: ";") && !$0.isControl }
        for parameter in parameters {
            field += "; ".utf8
            field += parameter.name.utf8.filter(isParameterOctet)
            field += "=\"".utf8
            for octet in parameter.value where !octet.isLineBreak {
                if octet == ASCII.quote || octet == ASCII.backslash {
                    field.append(ASCII.backslash)
                }
                field.append(octet)
            }
            field.append(ASCII.quote)
        }
        return field
    }

    /// What cannot end a parameter's name.
    private static func isParameterOctet(_ octet: UInt8) -> Bool {
        octet.isLetter || octet.isDigit || octet >= 0x80 || "*-_.'%+!#$&^`{|}~".utf8.contains(octet)
    }
}
