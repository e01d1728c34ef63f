import MartletMIME

/// A message for more recipients than a server takes at a time goes in several transactions. RFC 5321 §4.5.3.1.10.
extension DeliveryReport {
    /// The recipients that were refused only because there were too many in one transaction; none when the server took
    /// nobody at all, since it would not take them then either.
    public var leftOut: [ForwardPath] {
        accepted.isEmpty ? [] : recipients.filter(\.isOneTooMany).map(\.path)
    }

    /// Puts what became of those left out, in the next transaction, in place of their refusal.
    ///
    /// - Parameter next: an outcome for each of `leftOut`, in its order.
    public mutating func resolveLeftOut(_ next: [Outcome]) {
        var next = next[...]
        for (index, recipient) in recipients.enumerated() where recipient.isOneTooMany {
            guard let outcome = next.popFirst() else { return }
            recipients[index] = Recipient(path: recipient.path, outcome: outcome)
        }
    }
}

extension DeliveryReport.Recipient {
    /// 452 as RFC 5321 has it, or any refusal that says "too many recipients" by its enhanced code (RFC 3463 §3.6).
    fileprivate var isOneTooMany: Bool {
        guard case .refused(let reply) = outcome else { return false }
        guard let enhanced = reply.enhanced else { return reply.code == 452 }
        return enhanced.subject == 5 && enhanced.detail == 3
    }
}
