/// A host and a port, as people write them: `mail.example.org:465`, `[::1]:2525`.
public struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// Octets of a host name, at most: what DNS allows and room for its Unicode form.
    public static let maximumHostOctets = 1_024

    /// The host without brackets: a name (Unicode allowed) or an address, perhaps with a zone.
    public var host: String
    /// 1 to 65535.
    public var port: Int

    /// Makes a pair.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `host:port`, with brackets around an IPv6 address.
    public var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Reads `HOST:PORT` or `[ADDRESS]:PORT`.
    ///
    /// - Throws: `ValueProblem`, which says what is missing or too much.
    public init(_ text: String) throws(ValueProblem) {
        guard !text.contains("://") else {
            throw ValueProblem("holds a \"://\"; write HOST:PORT only")
        }
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw ValueProblem("lacks its \"]\"") }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = text[text.index(after: end)...]
            guard host.contains(":") else {
                throw ValueProblem("has no IPv6 address between its brackets")
            }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<colon])
            rest = text[colon...]
            guard rest.dropFirst().firstIndex(of: ":") == nil else {
                throw ValueProblem("has several colons; write an IPv6 address as [::1]:PORT")
            }
        }
        guard rest.hasPrefix(":") else { throw ValueProblem("lacks a port; write HOST:PORT") }
        let digits = rest.dropFirst()
        guard digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let port = Int(digits),
            1...65_535 ~= port
        else { throw ValueProblem("does not end in a port from 1 to 65535") }
        self.port = port
        guard !host.isEmpty else { throw ValueProblem("lacks a host; write HOST:PORT") }
        guard host.utf8.count <= Self.maximumHostOctets, host.unicodeScalars.allSatisfy(isHost)
        else { throw ValueProblem("does not start with the name or address of a host") }
    }
}

/// Only what no host name and no address can have is refused here: the resolver does the rest.
private func isHost(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "@", "[", "]", "<", ">", "\"", "\\", "'", "?", "#", ",", ";", "\u{7F}": false
    default: scalar.value > 0x20 && !scalar.properties.isWhitespace
    }
}

extension ValueKind where Value == HostAndPort {
    /// `HOST:PORT`, an IPv6 address in brackets.
    public static var hostAndPort: Self {
        Self(placeholder: "HOST:PORT", completion: .hosts) { text throws(ValueProblem) in
            try HostAndPort(text)
        }
    }
}
