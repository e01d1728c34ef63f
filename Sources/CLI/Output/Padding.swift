extension String {
    /// The text with spaces behind it up to `width` characters: a column of a report.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
