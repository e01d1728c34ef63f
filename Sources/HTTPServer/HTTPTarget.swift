import MartletBytes

/// What a request asks for: `/messages/7?part=2` as it was sent, and decoded. RFC 9112 §3.2.
///
/// Strict: an escape that is none, octets that are no UTF-8, NUL, and `.` or `..` as a part of the path are no target at
/// all, so that a handler never sees them. The server answers them by 400.
public struct HTTPTarget: Sendable, Hashable, CustomStringConvertible {
    /// A name and its value in the query: `part=2`.
    public struct QueryItem: Sendable, Hashable {
        /// The name, decoded.
        public let name: String
        /// The value, decoded; `nil` without `=`.
        public let value: String?

        /// Makes an item.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The target as it was sent.
    public let description: String
    /// The path as it was sent, percent-encoded, without host and query: `/messages/7`; `*` of `OPTIONS *`.
    public let path: String
    /// The parts of the path, decoded: `["messages", "7"]`. `/` has none; a `/` at the end makes an empty one. A part may
    /// hold a `/` that was sent as `%2F`: look before it becomes a part of a file's name.
    public let components: [String]
    /// The items of the query in order, decoded as those of a form: `+` is a space.
    public let queryItems: [QueryItem]

    /// Reads a target: `/path?query`, `http://host/path?query` or `*`. Anything else is `nil`.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del }),
            !text.utf8.contains(UInt8(ascii: "#"))
        else { return nil }
        description = text
        guard text != "*" else {
            (path, components, queryItems) = (text, [], [])
            return
        }
        guard let rest = Self.withoutAuthority(text.utf8[...]) else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        guard let components = Self.components(of: rest[..<end]),
            let items = Self.items(of: rest[end...].dropFirst())
        else { return nil }
        path = String(Substring(rest[..<end]))
        self.components = components
        queryItems = items
    }

    /// The first value of that name in the query.
    public subscript(name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// `absolute-form`, RFC 9112 §3.2.2: what a client says to a proxy, and servers have to take.
    private static func withoutAuthority(_ text: Substring.UTF8View) -> Substring.UTF8View? {
        if text.first == UInt8(ascii: "/") { return text }
        for scheme in ["http://", "https://"] {
            let rest = text.dropFirst(scheme.utf8.count)
            guard text[..<rest.startIndex].lazy.map(\.lowercased).elementsEqual(scheme.utf8) else {
                continue
            }
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
            let path = rest[authority.endIndex...]
            // without a path it is "/", and so it is before a query
            return path.first == UInt8(ascii: "/") ? path : ("/" + Substring(path)).utf8[...]
        }
        return nil
    }

    /// `segment`s of RFC 3986 §3.3. Browsers resolve `.` and `..` before they ask, also where they are escaped: whoever
    /// sends them means no good.
    private static func components(of path: Substring.UTF8View) -> [String]? {
        guard path.count > 1 else { return [] }
        var components: [String] = []
        for part in path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let component = decoded(part, plusIsSpace: false), component != ".",
                component != ".."
            else { return nil }
            components.append(component)
        }
        return components
    }

    private static func items(of query: Substring.UTF8View) -> [QueryItem]? {
        var items: [QueryItem] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            guard let name = decoded(item[..<end], plusIsSpace: true),
                let value = decoded(item[end...].dropFirst(), plusIsSpace: true)
            else { return nil }
            items.append(QueryItem(name: name, value: end < item.endIndex ? value : nil))
        }
        return items
    }

    /// What the text says once each `%XX` is an octet: UTF-8 without NUL, or it is `nil`.
    private static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
        else { return String(Substring(text)) }
        var octets: [UInt8] = []
        octets.reserveCapacity(text.count)
        var rest = text
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "%") {
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue
                else { return nil }
                octets.append(high << 4 | low)
            } else {
                octets.append(octet == UInt8(ascii: "+") && plusIsSpace ? ASCII.space : octet)
            }
        }
        guard !octets.contains(ASCII.nul) else { return nil }
        return String(validating: octets, as: UTF8.self)
    }
}
