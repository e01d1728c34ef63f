import Foundation

/// The JSON of an answer. What the SDK needs is read member by member, so that something odd beside it does no harm.
enum ReplyBody {
    /// Arrays and objects inside of each other that are read: decoders descend, and the stack of an app's thread is small.
    private static let depthLimit = 32

    /// Reads a value of a known shape; `nil` for other JSON, for what is no JSON, and for what is nested too deep.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        guard isShallow(data) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Reads any value; `nil` for what is no JSON, is nested too deep, or has a number that no `Double` holds.
    ///
    /// Not by a decoder: it would have to guess at each value, and each wrong guess makes an error with the path to it.
    static func value(_ data: Data) -> FrontmailValue? {
        guard isShallow(data) else { return nil }
        return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
            .flatMap(FrontmailValue.init(json:))
    }

    /// Whether brackets outside of strings are nested within the limit.
    private static func isShallow(_ data: Data) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for octet in data {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if octet == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if octet == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch octet {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > depthLimit { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return true
    }
}

/// The texts among the members of an object that the SDK knows; members of other names and types are passed over.
struct ReplyTexts: Decodable {
    /// The names that are read.
    enum Name: String, CodingKey, CaseIterable {
        case messageID = "message_id"
        case status
        case statusToken = "status_token"
        case locale
        case createdAt = "created_at"
        case sentAt = "sent_at"
        case templateID = "template_id"
        case serviceID = "service_id"
        case code
        case message
        case docsURL = "docs_url"
        case mobileSiteKey
        case mobileBaseURL = "mobileBaseUrl"
    }

    private let texts: [Name: String]

    subscript(name: Name) -> String? { texts[name] }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var texts: [Name: String] = [:]
        for name in Name.allCases { texts[name] = try? container.decode(String.self, forKey: name) }
        self.texts = texts
    }
}

extension FrontmailValue {
    /// A value as `JSONSerialization` gives it, which is not nested deep.
    fileprivate init?(json value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case is NSNull: self = .null
        case let number as NSNumber:
            // True and false are numbers there, of a type that other numbers of JSON never have.
            if number.objCType.pointee == CChar(UInt8(ascii: "c")) {
                self = .bool(number.boolValue)
            } else if let whole = Int(exactly: number) {
                self = .int(whole)
            } else {
                self = .double(number.doubleValue)
            }
        case let items as [Any]: self = .array(items.compactMap(FrontmailValue.init(json:)))
        case let members as [String: Any]:
            self = .object(members.compactMapValues(FrontmailValue.init(json:)))
        default: return nil
        }
    }

    /// A member of an object.
    subscript(name: String) -> FrontmailValue? { objectValue?[name] }
}
