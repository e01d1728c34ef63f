import Foundation

/// The field `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds it asks to wait: a number of them, which may have a fraction, or a date. Never below 0; `nil` for what
    /// is neither.
    package static func seconds(_ value: String, now: Date) -> TimeInterval? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if let seconds = number(text) { return max(seconds, 0) }
        return Timestamp.httpDate(text, now: now).map { max($0.timeIntervalSince(now), 0) }
    }

    /// Digits with at most one point and a sign: no exponents, no hexadecimal digits, no words.
    private static func number(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard (1...32).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "."),
            digits.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        return Double(text)
    }
}
