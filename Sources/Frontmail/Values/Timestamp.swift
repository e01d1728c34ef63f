import Foundation

/// Times as services write them, for one answer: not all systems' formatters may be shared by tasks.
struct Timestamp {
    private let formatter = ISO8601DateFormatter()

    /// Reads ISO 8601, as in `2026-11-30T12:00:00.25Z`: with or without a fraction, with `Z` or an offset.
    func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        guard let point = text.firstIndex(of: ".") else { return formatter.date(from: text) }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard let fraction = Double("0." + digits) else { return nil }
        let whole = text[..<point] + text[digits.endIndex...]
        return formatter.date(from: String(whole))?.addingTimeInterval(fraction)
    }

    /// Reads an HTTP date in any of its three forms (RFC 9110 §5.6.7).
    static func httpDate(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.calendar = Calendar(identifier: .gregorian)
        // A year of two digits is the one of that name that is at most 50 years from now.
        formatter.twoDigitStartDate = now.addingTimeInterval(-50 * 365.25 * 86_400)
        let forms = [
            "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
            "EEE MMM d HH:mm:ss yyyy",
        ]
        for form in forms {
            formatter.dateFormat = form
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
