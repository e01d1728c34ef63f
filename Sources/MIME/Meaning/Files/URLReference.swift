import MartletBytes

/// Relative references, resolved as text. RFC 3986 §5.2. Nothing is checked and nothing is fetched.
enum URLReference {
    /// The pieces of a reference, as RFC 3986 appendix B cuts it.
    private struct Pieces {
        var scheme: String?
        var authority: String?
        var path: String
        var query: String?

        init(_ text: String) {
            // A fragment names something within a part.
            var rest = text.prefix { $0 != "#" }
            if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":",
                URLReference.isScheme(rest[..<colon])
            {
                scheme = rest[..<colon].lowercased()
                rest = rest[rest.index(after: colon)...]
            }
            if rest.hasPrefix("//") {
                let behind = rest.dropFirst(2)
                let name = behind.prefix { $0 != "/" && $0 != "?" }
                authority = String(name)
                rest = behind[name.endIndex...]
            }
            let path = rest.prefix { $0 != "?" }
            self.path = String(path)
            if path.endIndex < rest.endIndex {
                query = String(rest[rest.index(after: path.endIndex)...])
            }
        }

        var text: String {
            (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
                + (query.map { "?" + $0 } ?? "")
        }
    }

    /// `reference` as seen from `base`, without its fragment.
    static func resolve(_ reference: String, against base: String) -> String {
        var pieces = Pieces(reference)
        if pieces.scheme != nil {
            pieces.path = removingDots(pieces.path)
            return pieces.text
        }
        let base = Pieces(base)
        pieces.scheme = base.scheme
        if pieces.authority == nil {
            pieces.authority = base.authority
            if pieces.path.isEmpty {
                pieces.path = base.path
                pieces.query = pieces.query ?? base.query
            } else if !pieces.path.hasPrefix("/") {
                let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
                pieces.path = folder + pieces.path
            }
        }
        pieces.path = removingDots(pieces.path)
        return pieces.text
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == ASCII.hyphen
                || $0 == ASCII.dot
        }
    }

    /// RFC 3986 §5.2.4, for paths that begin with a slash.
    private static func removingDots(_ path: String) -> String {
        guard path.hasPrefix("/"), path.utf8.contains(ASCII.dot) else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

extension String {
    /// What is behind `scheme:` in any case; `nil` for other URLs.
    func behindScheme(_ scheme: StaticString) -> String? {
        let count = scheme.utf8CodeUnitCount
        guard utf8.count > count, utf8.dropFirst(count).first == UInt8(ascii: ":") else {
            return nil
        }
        let isScheme = scheme.withUTF8Buffer {
            $0.elementsEqual(utf8.prefix(count).lazy.map(\.lowercased))
        }
        return isScheme ? String(decoding: utf8.dropFirst(count + 1), as: UTF8.self) : nil
    }

    /// The text with `%41` decoded; other `%` stand for themselves. RFC 3986 §2.1.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var decoded: [UInt8] = []
        _ = decoded.append(percentEncoded: Array(utf8)[...])
        return String(decoding: decoded, as: UTF8.self)
    }

    var trimmedOfSpace: String {
        var content = utf8[...].drop { $0 <= ASCII.space }
        while let last = content.last, last <= ASCII.space { content.removeLast() }
        return String(decoding: content, as: UTF8.self)
    }

    var withoutBrackets: String {
        guard utf8.first == ASCII.less, utf8.last == ASCII.greater, utf8.count > 2 else {
            return self
        }
        return String(decoding: utf8.dropFirst().dropLast(), as: UTF8.self)
    }
}
