/// Values of header fields that a caller gives.
enum HeaderValue {
    /// The value as it is.
    ///
    /// - Throws: ``FrontmailError`` for one with control characters, of which a line end would begin another field, or with
    ///   blanks at its ends, which would not arrive.
    static func checked(
        _ value: String, or code: FrontmailError.Code, _ name: String
    ) throws -> String {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.utf8.first != 0x20,
            value.utf8.last != 0x20
        else {
            throw FrontmailError(
                code, "\(name) has a line end or another control character, or a blank at an end.")
        }
        return value
    }

    /// An idempotency key: 1 to 255 visible characters of ASCII.
    ///
    /// - Throws: ``FrontmailError`` with the code `invalid_idempotency_key`.
    static func checkedKey(_ key: String) throws -> String {
        guard (1...255).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw FrontmailError(
                .invalidIdempotencyKey,
                "An idempotency key has 1 to 255 visible characters of ASCII, and no blanks.")
        }
        return key
    }
}
