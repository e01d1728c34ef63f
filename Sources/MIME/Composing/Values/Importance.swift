import MartletBytes

/// How much a message matters to its author.
///
/// It is written twice: as `Importance` (RFC 2156 §5.3.4, RFC 4021 §2.1.55), and as `X-Priority`, which more
/// programs show.
public enum Importance: String, Hashable, Sendable {
    /// Can wait.
    case low
    /// As usual.
    case normal
    /// Wants to be read soon.
    case high

    /// The value of `X-Priority`, from 1 (highest) to 5.
    var priority: String {
        switch self {
        case .low: "5 (Lowest)"
        case .normal: "3 (Normal)"
        case .high: "1 (Highest)"
        }
    }

    /// Reads `Importance` or `X-Priority`.
    init?(fieldValue: String) {
        let word = fieldValue.utf8.drop(while: \.isBlank).prefix { !$0.isBlank && $0 != 0x28 }
        switch String(decoding: word.map(\.lowercased), as: UTF8.self) {
        case "low", "non-urgent", "4", "5": self = .low
        case "normal", "3": self = .normal
        case "high", "urgent", "1", "2": self = .high
        default: return nil
        }
    }
}
