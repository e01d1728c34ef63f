import Foundation

/// The body of `POST /v1/send`. What is absent is left out, never `null`.
package struct SendRequest: Encodable {
    package var templateID: String
    package var serviceID: String?
    package var userID: String
    package var turnstileToken: String?
    package var turnstileKey: String?
    package var locale: String?
    package var attachments: [Item]?

    /// An attachment, in either of its two forms.
    package struct Item: Encodable {
        package var filename: String?
        package var contentType: String?
        package var contentBase64: String?
        package var uploadID: String?

        private enum CodingKeys: String, CodingKey {
            case filename
            case contentType = "content_type"
            case contentBase64 = "content_base64"
            case uploadID = "upload_id"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case templateID = "template_id"
        case serviceID = "service_id"
        case userID = "user_id"
        case turnstileToken = "turnstile_token"
        case turnstileKey = "turnstile_key"
        case locale
        case attachments
    }

    init(templateID: String, serviceID: String?, userID: String, options: SendOptions) {
        self.templateID = templateID
        self.serviceID = SendRequest.unlessEmpty(serviceID)
        self.userID = userID
        turnstileToken = options.turnstileToken
        turnstileKey = options.turnstileKey?.rawValue
        locale = SendRequest.unlessEmpty(options.locale)
        attachments = options.attachments.isEmpty ? nil : options.attachments.map(Item.init)
    }

    private static func unlessEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The JSON text with `params`, an encoded object, as the last member: nothing is encoded twice.
    func encoded(params: Data) throws -> Data {
        var body = try SendRequest.json(of: self)
        body.removeLast()  // the closing brace
        body.append(contentsOf: #","template_params":"#.utf8)
        body.append(params)
        body.append(UInt8(ascii: "}"))
        return body
    }

    /// The JSON text of a value that has to be an object.
    ///
    /// - Throws: ``FrontmailError`` with the code `invalid_body`.
    static func encodeObject(_ value: some Encodable) throws -> Data {
        let data = try json(of: value)
        guard data.first == UInt8(ascii: "{") else {
            throw FrontmailError(
                .invalidBody,
                "The parameters have to encode to a JSON object; \(type(of: value)) does not.")
        }
        return data
    }

    private static func json(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // Sorted, so that equal requests are equal octets.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            let words = reason(error)
            throw FrontmailError(
                .invalidBody, "The parameters cannot be encoded as JSON: \(words).",
                details: ["underlying": .string(words)])
        }
    }

    /// Characters of a foreign error's own words that are told.
    private static let reasonLimit = 200

    /// Why encoding failed: where, and which number; no other values, since they may be anybody's, and many.
    private static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else {
            return cut(String(describing: error))
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        guard let number = value as? any BinaryFloatingPoint else {
            let words = context.debugDescription
            return cut(path.isEmpty ? words : "\(path): \(words)")
        }
        return cut(path.isEmpty ? "\(number)" : "\(path) is \(number)")
    }

    private static func cut(_ text: String) -> String {
        let shown = text.prefix(reasonLimit)
        return shown.endIndex == text.endIndex ? text : shown + "…"
    }
}

extension SendRequest.Item {
    init(_ attachment: Attachment) {
        switch attachment {
        case .data(let data, let filename, let contentType):
            self.init(
                filename: filename, contentType: contentType,
                contentBase64: data.base64EncodedString(), uploadID: nil)
        case .upload(let id):
            self.init(filename: nil, contentType: nil, contentBase64: nil, uploadID: id)
        }
    }
}
