import Foundation

/// The field `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// Seconds that are told at most, some thirty years: a number that fits everywhere.
    private static let longest: TimeInterval = 1e9

    /// The seconds it asks to wait: a number of them, which may have a fraction, or a date. From 0 to a thousand million;
    /// `nil` for what is neither.
    package static func seconds(_ value: String, now: Date) -> TimeInterval? {
        let text = value.trimmingCharacters(in: .whitespaces)
        let seconds = number(text) ?? Timestamp.httpDate(text, now: now)?.timeIntervalSince(now)
        return seconds.map { min(max($0, 0), longest) }
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
