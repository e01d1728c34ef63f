import MartletBytes

/// `realm="a",nonce="b",qop="auth"`: what both sides of DIGEST-MD5 say. RFC 2831 §2.1.1, §2.1.2.
struct DigestDirectives {
    struct Directive {
        var name: String
        var value: [UInt8]
    }

    /// Most directives of a message.
    static let countLimit = 100

    private var directives: [Directive] = []

    /// Takes a message apart; `nil` where it is no list of directives.
    init?(_ octets: [UInt8], limit: Int) {
        guard octets.count <= limit else { return nil }
        var reader = Reader(rest: octets[...])
        while true {
            // 1#( … ): empty elements and white space are allowed. RFC 2616 §2.1.
            reader.skip { $0.isFoldingSpace || $0 == UInt8(ascii: ",") }
            if reader.rest.isEmpty { break }
            guard directives.count < Self.countLimit, let directive = reader.directive() else {
                return nil
            }
            directives.append(directive)
            reader.skip(\.isFoldingSpace)
            guard reader.rest.isEmpty || reader.rest.first == UInt8(ascii: ",") else { return nil }
        }
    }

    /// All values of a name.
    func all(_ name: String) -> [[UInt8]] { directives.filter { $0.name == name }.map(\.value) }

    /// The only value of a name: `.success(nil)` for none, `.failure` for several.
    func one(_ name: String) -> Result<[UInt8]?, Repeated> {
        let values = all(name)
        return values.count > 1 ? .failure(Repeated(name: name)) : .success(values.first)
    }

    /// A directive that may be said once.
    struct Repeated: Error { var name: String }

    /// Names compare without case, and so do a list's words.
    static func lowercased(_ octets: some Sequence<UInt8>) -> String {
        String(decoding: octets.map(\.lowercased), as: UTF8.self)
    }

    /// The words of a list such as `"auth,auth-int"`.
    static func words(_ value: [UInt8]) -> [String] {
        value.split { $0 == UInt8(ascii: ",") || $0.isFoldingSpace }.map(lowercased)
    }

    /// A value in quotes, what would end it escaped.
    static func quoted(_ value: [UInt8]) -> [UInt8] {
        var result = [ASCII.quote]
        for octet in value {
            if octet == ASCII.quote || octet == ASCII.backslash { result.append(ASCII.backslash) }
            result.append(octet)
        }
        return result + [ASCII.quote]
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

        mutating func token() -> ArraySlice<UInt8>? {
            // token = 1*<any CHAR except CTLs or separators>
            let token = rest.prefix { $0 > 0x20 && $0 < 0x7F && !Self.separators.contains($0) }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : token
        }

        private static let separators = Set("()<>@,;:\\\"/[]?={} \t".utf8)

        mutating func directive() -> Directive? {
            guard let name = token() else { return nil }
            skip(\.isFoldingSpace)
            guard rest.popFirst() == ASCII.equals else { return nil }
            skip(\.isFoldingSpace)
            guard let value = rest.first == ASCII.quote ? quotedString() : token().map(Array.init)
            else { return nil }
            return Directive(name: lowercased(name), value: value)
        }

        private mutating func quotedString() -> [UInt8]? {
            rest = rest.dropFirst()
            var value: [UInt8] = []
            while let octet = rest.popFirst() {
                switch octet {
                case ASCII.quote: return value
                case ASCII.backslash:
                    guard let next = rest.popFirst(), next != 0 else { return nil }
                    value.append(next)
                case 0: return nil
                default: value.append(octet)
                }
            }
            return nil
        }
    }
}
