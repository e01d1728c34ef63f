import MartletBytes
import MartletText

/// The charset that the texts of a search are sent in. RFC 9051 §6.4.4.
public enum SearchCharset: Hashable, Sendable {
    /// None where all is ASCII or UTF-8 was agreed on, else UTF-8.
    case automatic
    /// UTF-8 that is not called so: for servers that refuse to be told.
    case unlabelled
    /// Another, by its name: `US-ASCII`, or one in which each character is an octet, such as `KOI8-R`.
    case named(String)

    /// The name to send with a key, if one is needed.
    func label(for key: SearchKey, isUTF8: Bool) -> String? {
        switch self {
        case .unlabelled: nil
        case .automatic:
            isUTF8
                || key.criteria.allSatisfy({ $0.soughtText?.utf8.allSatisfy { $0 < 0x80 } ?? true })
                ? nil : "UTF-8"
        case .named(let name): name
        }
    }

    /// Writes a text in it.
    func write(_ text: String, into encoder: inout CommandEncoder) throws(IMAPError) {
        guard case .named(let name) = self, !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return try encoder.checkedString(text, "a text that is searched for")
        }
        guard !text.utf8.contains(ASCII.nul), let octets = Self.octets(of: text, in: name) else {
            throw .invalidInput("\"\(text.excerpt)\" cannot be written in \(name.excerpt)")
        }
        encoder.literal(octets)
    }

    /// The charset to try once more in, after a server refused a search with `[BADCHARSET]`; `nil` where nothing is left to
    /// try.
    ///
    ///     S: M4 NO [BADCHARSET (US-ASCII KOI8-R)] try another
    ///
    /// - Parameters:
    ///   - error: what the search threw.
    ///   - key: what was searched for.
    /// - Returns: one of those that the server names if all texts can be written in it; else UTF-8 without its name, since
    ///   servers that name only US-ASCII often look for the octets as they are.
    public func retry(after error: IMAPError, for key: SearchKey) -> SearchCharset? {
        guard case .badCharset(let offered) = error.code else { return nil }
        let texts = key.criteria.compactMap(\.soughtText)
        let isASCII = texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        if isASCII { return self == .unlabelled ? nil : .unlabelled }
        guard self == .automatic else { return nil }
        for name in offered where !"UTF-8".utf8.equalsIgnoringCase(name.utf8) {
            if name.utf8.allSatisfy(\.isAtomOctet), !name.isEmpty,
                texts.allSatisfy({ Self.octets(of: $0, in: name) != nil })
            {
                return .named(name)
            }
        }
        return .unlabelled
    }

    /// The text's octets in a charset in which each character is one, or in UTF-8; `nil` where that is impossible.
    static func octets(of text: String, in name: String) -> [UInt8]? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        if "UTF-8".utf8.equalsIgnoringCase(name.utf8) { return Array(text.utf8) }
        guard !"US-ASCII".utf8.equalsIgnoringCase(name.utf8),
            let charset = Charset(label: name), charset != .utf8
        else { return nil }
        // ISO-8859-1 is read as windows-1252, which has more between 0x80 and 0x9F.
        let first: UInt8 =
            charset == .windows1252 && !name.utf8.contains(UInt8(ascii: "w")) ? 0xA0 : 0x80
        var table: [Unicode.Scalar: UInt8] = [:]
        for octet in first...0xFF {
            let decoded = charset.decode([octet])
            let scalars = decoded.text.unicodeScalars
            if decoded.malformedCount == 0, scalars.count == 1, let scalar = scalars.first {
                table[scalar] = octet
            }
        }
        var octets: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                octets.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if let octet = table[scalar] {
                octets.append(octet)
            } else {
                return nil
            }
        }
        return charset.decode(octets).text == text ? octets : nil
    }

    /// Whether texts in a charset can be read.
    static func isReadable(_ name: String) -> Bool { Charset(label: name)?.isAvailable == true }

    /// The text of octets in it; `nil` where they are not in it.
    func text(of octets: ArraySlice<UInt8>) -> String? {
        guard case .named(let name) = self else { return String(validating: octets, as: UTF8.self) }
        if "US-ASCII".utf8.equalsIgnoringCase(name.utf8) {
            return String(validating: octets, as: Unicode.ASCII.self)
        }
        guard let decoded = Charset(label: name)?.decode(octets), decoded.malformedCount == 0 else {
            return nil
        }
        return decoded.text
    }
}
