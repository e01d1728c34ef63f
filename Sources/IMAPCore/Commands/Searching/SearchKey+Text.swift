import MartletBytes

extension SearchKey {
    /// Reads keys in IMAP's own words, such as `OR FROM ann SUBJECT "the ann files" SINCE 1-Nov-2026`; all of them must
    /// hold. RFC 9051 §6.4.4.
    ///
    /// Texts are in quotes where they hold blanks; letters beyond ASCII are fine.
    /// - Throws: `.invalidInput` that says what was expected where.
    public init(parsing text: String) throws(IMAPError) {
        do throws(CommandProblem) {
            self = try Self.read(text)
        } catch {
            throw .invalidInput("\"\(text.excerpt)\" is no search: \(error.text.words)")
        }
    }

    package static func read(_ text: String) throws(CommandProblem) -> SearchKey {
        var reader = CommandReader(
            cursor: IMAPCursor(Array(text.utf8)[...], isUTF8: true, isStrict: true), isUTF8: true,
            literals: [])
        let key = try reader.searchKeys(in: .unlabelled)
        try reader.finish()
        return key
    }
}
