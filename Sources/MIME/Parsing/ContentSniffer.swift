import MartletBytes

/// A part that has parts.
enum ContainerType: Equatable {
    case multipart(isDigest: Bool)
    case message
}

/// What must be known of a part's fields to find the parts, read without making values.
enum ContentSniffer {
    /// Whether a part of this `Content-Type` has parts. RFC 2046 §5, RFC 6532 §3.7.
    static func containerType(
        _ value: UnsafeRawBufferPointer?, isInDigest: Bool
    ) -> ContainerType? {
        guard let value else { return isInDigest ? .message : nil }
        var cursor = Cursor(value)
        let type = cursor.token()
        cursor.skipSlashes()
        let subtype = cursor.token()
        if type.isNamed("multipart") { return .multipart(isDigest: subtype.isNamed("digest")) }
        let isMessage =
            type.isNamed("message")
            && (subtype.isNamed("rfc822") || subtype.isNamed("global") || subtype.isNamed("news"))
        if isMessage { return .message }
        return type.isEmpty && isInDigest ? .message : nil
    }

    /// Whether octets that are said to be encoded may be so: messages are mislabelled often enough.
    static func isPlausible(_ encoding: ContentTransferEncoding, of body: UnsafeRawBufferPointer)
        -> Bool
    {
        let start = body.drop { $0.isBlank || $0 == ASCII.cr || $0 == ASCII.lf }
        switch encoding {
        case .base64:
            // A header has a colon in its first line, base64 nowhere.
            return !start.prefix(1_000).prefix { $0 != ASCII.lf }.contains(UInt8(ascii: ":"))
        case .quotedPrintable:
            return !hasInvalidEscape(body)
        default:
            return true
        }
    }

    private static func hasInvalidEscape(_ body: UnsafeRawBufferPointer) -> Bool {
        func isHex(_ octet: UInt8) -> Bool { octet.isDigit || octet.lowercased &- 0x61 < 6 }
        var offset = 0
        while let found = body.firstOffset(of: ASCII.equals, from: offset) {
            let behind = body[(found + 1)...].prefix(2)
            let isEscape = behind.count == 2 && behind.allSatisfy(isHex)
            let isSoftBreak =
                behind.first.map { $0.isBlank || $0 == ASCII.cr || $0 == ASCII.lf } ?? true
            if !isEscape && !isSoftBreak { return true }
            offset = found + 1
        }
        return false
    }

    /// Reads tokens; white space, comments and quotes around them are passed over.
    private struct Cursor {
        let octets: UnsafeRawBufferPointer
        var offset = 0

        init(_ octets: UnsafeRawBufferPointer) { self.octets = octets }

        mutating func token() -> Token {
            skipSpace()
            let start = offset
            while offset < octets.count, isTokenOctet(octets[offset]) { offset += 1 }
            return Token(octets: UnsafeRawBufferPointer(rebasing: octets[start..<offset]))
        }

        mutating func skipSlashes() {
            skipSpace()
            while offset < octets.count, octets[offset] == UInt8(ascii: "/") { offset += 1 }
        }

        private mutating func skipSpace() {
            var depth = 0
            while offset < octets.count {
                switch octets[offset] {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth = max(0, depth - 1)
                case ASCII.space, ASCII.tab, ASCII.cr, ASCII.lf, ASCII.quote: break
                default: if depth == 0 { return }
                }
                offset += 1
            }
        }
    }

    private struct Token {
        let octets: UnsafeRawBufferPointer

        var isEmpty: Bool { octets.isEmpty }

        func isNamed(_ name: StaticString) -> Bool {
            guard octets.count == name.utf8CodeUnitCount else { return false }
            for index in 0..<octets.count
            where octets[index].lowercased != name.utf8Start[index] { return false }
            return true
        }
    }
}
