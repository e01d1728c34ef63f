import MartletIMAPCore
import MartletMIME
import MartletSMTPCore
import MartletTransport

/// Mail that comes by SMTP and LMTP.
extension MailSystem {
    /// Keeps a message whose octets were admitted, and puts it into the INBOX of each recipient.
    ///
    /// - Returns: the message, and how many of the oldest went for it.
    func deliver(
        _ make: @Sendable (Int) -> StoredMessage
    ) async throws(MailProblem) -> (message: StoredMessage, dropped: Int) {
        let (message, content) = keepDelivery(make)
        release(message.octets.count)
        defer {
            unfinished.remove(message.id)
            waits.lookAgain()
        }
        var owners: [String] = []
        for path in message.envelope.forwardPaths {
            for owner in rules.owners(of: path.description) where !owners.contains(owner) {
                owners.append(owner)
            }
        }
        let date = message.received.mailDate
        for owner in owners {
            arrivalBegins(for: owner)
            defer { arrivalEnds(for: owner) }
            var ready = ReadyMessage(content: content, flags: [], date: date)
            if let keeper {
                // An account that is read only now would find the file, and have it twice.
                _ = account(owner)
                ready.content = self.content(message.octets)
                ready.file = try await keeper.deliver(
                    message.octets, flags: [], to: .inbox, of: owner)
            }
            _ = try insert([ready], into: .inbox, of: owner)
        }
        return (message, dropOldest())
    }

    /// What came by SMTP for an address as the client wrote it, oldest first.
    func delivered(to address: String) -> [StoredMessage] {
        let mailbox = address.lowercased()
        return delivered.filter { message in
            message.envelope.forwardPaths.contains { $0.description.lowercased() == mailbox }
        }
    }
}

extension WallClock {
    /// As a date of mail.
    var mailDate: MailDate {
        MailDate(secondsSinceEpoch: secondsSinceEpoch, offsetInMinutes: offsetInMinutes)
    }
}
