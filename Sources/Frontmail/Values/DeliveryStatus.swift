/// How far a mail has come.
///
/// A service may know more than this list: switch with a `default`.
public enum DeliveryStatus: Hashable, Sendable {
    /// Accepted, waiting for its turn.
    case queued
    /// On its way to the mail provider.
    case sending
    /// The mail provider has taken it.
    case sent
    /// The recipient's server has taken it.
    case delivered
    /// The recipient's server has refused it.
    case bounced
    /// The recipient has called it spam.
    case complained
    /// It could not be sent.
    case failed
    /// Accepted, waiting until the account has credits.
    case held
    /// Waiting until the account's mail service works again.
    case heldServiceError
    /// Was held, and then given up.
    case discarded
    /// A status that this version does not know, as the service wrote it.
    case unknown(String)

    private static let known: [String: DeliveryStatus] = [
        "queued": .queued, "sending": .sending, "sent": .sent, "delivered": .delivered,
        "bounced": .bounced, "complained": .complained, "failed": .failed, "held": .held,
        "held_service_error": .heldServiceError, "discarded": .discarded,
    ]
}

extension DeliveryStatus: RawRepresentable, Codable {
    /// Reads the service's word.
    public init(rawValue: String) { self = DeliveryStatus.known[rawValue] ?? .unknown(rawValue) }

    /// The service's word.
    public var rawValue: String {
        switch self {
        case .queued: "queued"
        case .sending: "sending"
        case .sent: "sent"
        case .delivered: "delivered"
        case .bounced: "bounced"
        case .complained: "complained"
        case .failed: "failed"
        case .held: "held"
        case .heldServiceError: "held_service_error"
        case .discarded: "discarded"
        case .unknown(let word): word
        }
    }
}
