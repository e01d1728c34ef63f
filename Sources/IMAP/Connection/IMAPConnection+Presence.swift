import MartletIMAPCore
import MartletTransport

extension IMAPConnection {
    /// Whether the connection can be used: one that was silent for long is asked first.
    func isThere() async -> Bool {
        guard isOpen, !session.isClosing else { return false }
        guard !session.isBusy, lastHeard.advanced(by: server.timeouts.staleness) < .now else {
            return true
        }
        patience = server.timeouts.probe
        defer { patience = server.timeouts.reply }
        return await (try? run(IMAP.Noop())) != nil
    }
}
