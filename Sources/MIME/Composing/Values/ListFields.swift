import MartletBytes

/// What a message says of the mailing list it came by. RFC 2369, RFC 2919, RFC 8058.
public struct ListFields: Hashable, Sendable {
    /// The list's name that does not change.
    public var id: ListIdentifier?
    /// Where help is to be had.
    public var help: [ListLink] = []
    /// How to get in.
    public var subscribe: [ListLink] = []
    /// How to get out.
    public var unsubscribe: Unsubscription?
    /// Where to post, if anybody may.
    public var post: Posting?
    /// Who runs it.
    public var owner: [ListLink] = []
    /// Where old messages are.
    public var archive: [ListLink] = []

    /// Where to post to a list. RFC 2369 §3.4.
    public enum Posting: Hashable, Sendable {
        /// Through these.
        case links([ListLink])
        /// Nobody may: `List-Post: NO`.
        case forbidden
    }

    /// Nothing said.
    public init() {}
}

/// The name of a mailing list that does not change: `List-ID`, RFC 2919.
public struct ListIdentifier: Hashable, Sendable {
    /// The longest identifier in octets. RFC 2919 §2.
    public static let sizeLimitInOctets = 255

    /// The name for people; `nil` without one.
    public let name: String?
    /// The identifier: words with dots between, such as `news.example.org`.
    public let identifier: String

    // list-id = list-label "." list-id-namespace ; RFC 2919 §2
    /// Makes a name.
    ///
    /// - Throws: `CompositionError`, to be mended by the caller, when `identifier` is no `dot-atom` of two
    ///   words at least, or `name` has a control character.
    public init(_ identifier: String, name: String? = nil) throws(CompositionError) {
        try refuseLineBreaks(in: identifier + (name ?? ""), field: Self.field)
        let words = identifier.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let isDotAtom = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0 < 0x80 && isAtomOctet($0) }
        }
        guard words.count > 1, isDotAtom else {
            throw CompositionError(.invalid, field: Self.field, value: identifier)
        }
        guard identifier.utf8.count <= Self.sizeLimitInOctets else {
            throw CompositionError(.tooLong(limit: Self.sizeLimitInOctets), field: Self.field)
        }
        if let name, hasControlCharacter(name) {
            throw CompositionError(.invalid, field: Self.field, value: name)
        }
        if let name, name.utf8.count > MailboxAddress.displayNameLimitInOctets {
            throw CompositionError(
                .tooLong(limit: MailboxAddress.displayNameLimitInOctets), field: Self.field)
        }
        self.name = name == "" ? nil : name
        self.identifier = identifier
    }

    private static let field = "List-ID"
}

/// A URI in a field of a mailing list. RFC 2369 §2.
public struct ListLink: Hashable, Sendable {
    /// The longest URI in octets: it has to stay on one line.
    public static let sizeLimitInOctets = 900

    /// The URI: a scheme and printable ASCII without blanks, brackets and commas.
    public let uri: String

    /// Makes a link.
    ///
    /// - Throws: `CompositionError`, to be mended by the caller: characters of other kinds have to be
    ///   percent-encoded before.
    public init(_ uri: String) throws(CompositionError) {
        try refuseLineBreaks(in: uri, field: Self.field)
        guard uri.utf8.count <= Self.sizeLimitInOctets else {
            throw CompositionError(.tooLong(limit: Self.sizeLimitInOctets), field: Self.field)
        }
        let isPlain = uri.utf8.allSatisfy {
            $0 > ASCII.space && $0 < ASCII.del && $0 != ASCII.less && $0 != ASCII.greater
                && $0 != UInt8(ascii: ",") && $0 != ASCII.quote
        }
        // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ; RFC 3986 §3.1
        let scheme = uri.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isScheme =
            scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        guard isPlain, isScheme, uri.utf8.count > scheme.count + 1 else {
            throw CompositionError(.invalid, field: Self.field, value: uri)
        }
        self.uri = uri
    }

    /// What stands before the colon, in lower case.
    var scheme: String {
        String(
            decoding: uri.utf8.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercased), as: UTF8.self)
    }

    private static let field = "A link"
}

/// How a recipient gets off a list: `List-Unsubscribe` and `List-Unsubscribe-Post`. RFC 2369 §3.2, RFC 8058.
///
/// One click is a promise that every reader checks, so it can only be made whole: exactly one `https` link,
/// and the second field with it. A message with it has to be signed by DKIM, both fields covered (§4).
public struct Unsubscription: Hashable, Sendable {
    /// The links, the preferred one first.
    public let links: [ListLink]
    /// Whether a `POST` to the `https` link is enough.
    public let isOneClick: Bool

    /// Links to be opened by a person.
    ///
    /// - Throws: `CompositionError` when there are none.
    public init(_ links: [ListLink]) throws(CompositionError) {
        guard !links.isEmpty else { throw CompositionError(.missing, field: "List-Unsubscribe") }
        self.links = links
        isOneClick = false
    }

    /// One click.
    ///
    /// - Parameters:
    ///   - https: where the recipient's program sends `List-Unsubscribe=One-Click` by POST. It has to say
    ///     by itself who leaves which list, as nothing that could not be guessed (RFC 8058 §3.1).
    ///   - mailto: an address for programs that know only the older way.
    /// - Throws: `CompositionError` when `https` is no such link with a host, or `mailto` none.
    public init(oneClick https: ListLink, mailto: ListLink? = nil) throws(CompositionError) {
        let rest = https.uri.utf8.dropFirst("https:".utf8.count)
        let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard https.scheme == "https", rest.starts(with: "//".utf8), !host.isEmpty else {
            throw CompositionError(.invalid, field: "List-Unsubscribe", value: https.uri)
        }
        if let mailto, mailto.scheme != "mailto" {
            throw CompositionError(.invalid, field: "List-Unsubscribe", value: mailto.uri)
        }
        links = [https] + (mailto.map { [$0] } ?? [])
        isOneClick = true
    }
}
