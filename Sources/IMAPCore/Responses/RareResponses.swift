import MartletBytes

/// What a URL of URLAUTH stands for. RFC 4467 §9, RFC 5524 §3.
public struct FetchedURL: Hashable, Sendable {
    /// The URL.
    public var url: String
    /// What it stands for; `nil` if it stands for nothing any more.
    public var data: MessageData

    /// Makes one.
    public init(url: String, data: MessageData) {
        self.url = url
        self.data = data
    }
}

/// How a server compares text. RFC 5255 §4.8.
public struct ComparatorResponse: Hashable, Sendable {
    /// The comparator in use.
    public var active: String
    /// Those that fit what was asked for.
    public var matching: [String]

    /// Makes one.
    public init(active: String, matching: [String] = []) {
        self.active = active
        self.matching = matching
    }
}

extension IMAPCursor {
    // genurlauth-data = "*" SP "GENURLAUTH" 1*(SP url-full) ; RFC 4467 §9
    mutating func generatedURLs() throws(ParseFailure) -> [String] {
        var urls: [String] = []
        try elementsToEnd { cursor throws(ParseFailure) in urls.append(try cursor.url()) }
        return urls
    }

    // urlfetch-data = "*" SP "URLFETCH" 1*(SP url-full SP nstring) ; RFC 4467 §9, RFC 5524 §4: or items in parentheses, of which the data is kept
    mutating func fetchedURLs() throws(ParseFailure) -> [FetchedURL] {
        var urls: [FetchedURL] = []
        try elementsToEnd { cursor throws(ParseFailure) in
            let url = try cursor.url()
            try cursor.space()
            guard cursor.next == UInt8(ascii: "(") else {
                urls.append(FetchedURL(url: url, data: try cursor.nstringData()))
                return
            }
            var data = MessageData.nil
            while cursor.takeIfPresent(UInt8(ascii: "(")) {
                let name = try cursor.keyword()
                cursor.skipSpaces()
                if name == "BODY" || name == "BINARY" {
                    data = try cursor.nstringData()
                } else {
                    while cursor.anyValue() != nil { cursor.skipSpaces() }
                }
                try cursor.expect(UInt8(ascii: ")"), "\")\"")
                cursor.skipSpaces()
            }
            urls.append(FetchedURL(url: url, data: data))
        }
        return urls
    }

    private mutating func url() throws(ParseFailure) -> String {
        if let string = try stringIfPresent() { return string.text }
        let word = prefix { $0 > ASCII.space }
        guard !word.isEmpty else { throw failure("url-full") }
        return word.text
    }

    // "LANGUAGE" SP "(" lang-tag-quoted *(SP lang-tag-quoted) ")" ; RFC 5255 §3.5
    mutating func languages() throws(ParseFailure) -> [String] {
        var languages: [String] = []
        try list { cursor throws(ParseFailure) in languages.append(try cursor.astring().text) }
        return languages
    }

    // "COMPARATOR" SP comp-sel-quoted [SP "(" comp-id-quoted *(SP comp-id-quoted) ")"] ; RFC 5255 §4.11
    mutating func comparator() throws(ParseFailure) -> ComparatorResponse {
        var response = ComparatorResponse(active: try astring().text)
        skipSpaces()
        if !isAtEnd { response.matching = try languages() }
        return response
    }
}
