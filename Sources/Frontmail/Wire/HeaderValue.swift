/// Values of header fields that a caller gives.
enum HeaderValue {
    /// The value as it is.
    ///
    /// - Throws: ``FrontmailError`` for one with control characters: a line end would begin another field.
    static func checked(
        _ value: String, or code: FrontmailError.Code, _ message: String
    ) throws -> String {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw FrontmailError(code, message)
        }
        return value
    }
}
