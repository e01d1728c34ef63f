import MartletBytes

/// A header field: a name and a value. RFC 9110 §5.
///
/// A field that exists can be sent: neither name nor value can hold CR, LF, NUL or another control character but tab,
/// so that no field can carry a second one.
public struct HTTPField: Sendable, Hashable {
    /// A field's name: keeps its case and is compared without.
    public struct Name: Sendable, CustomStringConvertible {
        /// The name as it was written.
        public let description: String

        /// Makes a name of a token (RFC 9110 §5.6.2); anything else is `nil`.
        public init?(_ text: String) {
            guard text.utf8.isToken else { return nil }
            description = text
        }

        init(known: String) { description = known }
    }

    /// The name.
    public let name: Name
    /// The value, without blanks around it.
    public let value: String

    /// Makes a field.
    ///
    /// - Throws: `HTTPFieldError` when the value has a control character other than tab.
    public init(_ name: Name, _ value: String) throws(HTTPFieldError) {
        guard let made = HTTPField(name, octets: value.utf8) else {
            throw HTTPFieldError(name: name)
        }
        self = made
    }

    /// A field that came over the network; `nil` when its value has control characters.
    init?(_ name: Name, octets value: some BidirectionalCollection<UInt8>) {
        guard value.allSatisfy({ !$0.isControl || $0 == ASCII.tab }) else { return nil }
        self.name = name
        let trimmed = value.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed()
        self.value = String(validating: trimmed, as: UTF8.self) ?? Self.latin1(trimmed)
    }

    init(known name: Name, value: String) {
        self.name = name
        self.value = value
    }

    /// Octets that are no UTF-8: what the first edition of HTTP took all of them for.
    private static func latin1(_ octets: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    }
}

extension HTTPField.Name: Hashable {
    /// Compares without regard to case.
    public static func == (left: Self, right: Self) -> Bool {
        left.description.utf8.lazy.map(\.lowercased)
            .elementsEqual(right.description.utf8.lazy.map(\.lowercased))
    }

    /// Hashes without regard to case.
    public func hash(into hasher: inout Hasher) {
        for octet in description.utf8 { hasher.combine(octet.lowercased) }
    }
}

extension HTTPField.Name {
    /// `Accept`.
    public static let accept = HTTPField.Name(known: "Accept")
    /// `Allow`.
    public static let allow = HTTPField.Name(known: "Allow")
    /// `Authorization`.
    public static let authorization = HTTPField.Name(known: "Authorization")
    /// `Cache-Control`.
    public static let cacheControl = HTTPField.Name(known: "Cache-Control")
    /// `Content-Disposition`.
    public static let contentDisposition = HTTPField.Name(known: "Content-Disposition")
    /// `Content-Length`: the server writes it.
    public static let contentLength = HTTPField.Name(known: "Content-Length")
    /// `Content-Type`.
    public static let contentType = HTTPField.Name(known: "Content-Type")
    /// `Cookie`.
    public static let cookie = HTTPField.Name(known: "Cookie")
    /// `ETag`.
    public static let eTag = HTTPField.Name(known: "ETag")
    /// `Host`.
    public static let host = HTTPField.Name(known: "Host")
    /// `If-None-Match`.
    public static let ifNoneMatch = HTTPField.Name(known: "If-None-Match")
    /// `Last-Modified`.
    public static let lastModified = HTTPField.Name(known: "Last-Modified")
    /// `Location`.
    public static let location = HTTPField.Name(known: "Location")
    /// `Origin`.
    public static let origin = HTTPField.Name(known: "Origin")
    /// `Retry-After`.
    public static let retryAfter = HTTPField.Name(known: "Retry-After")
    /// `Set-Cookie`.
    public static let setCookie = HTTPField.Name(known: "Set-Cookie")
    /// `Transfer-Encoding`: the server writes it.
    public static let transferEncoding = HTTPField.Name(known: "Transfer-Encoding")
    /// `User-Agent`.
    public static let userAgent = HTTPField.Name(known: "User-Agent")

    static let connection = HTTPField.Name(known: "Connection")
    static let date = HTTPField.Name(known: "Date")
    static let expect = HTTPField.Name(known: "Expect")
    static let keepAlive = HTTPField.Name(known: "Keep-Alive")
    static let trailer = HTTPField.Name(known: "Trailer")
    static let upgrade = HTTPField.Name(known: "Upgrade")
}

/// A field's value cannot be sent. Mend the value: nothing was sent.
public struct HTTPFieldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field.
    public let name: HTTPField.Name

    /// One sentence for a person: what is wrong and what to do.
    public var description: String {
        "the value of \(name) has a line break or another control character. Remove it, or encode it."
    }
}
