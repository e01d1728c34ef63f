import MartletIMAPCore
import MartletTransport

extension IMAPConnection {
    /// Whether the connection can be used: one that was silent for long is asked first.
    func isThere() async -> Bool {
        guard isOpen, !session.isClosing else { return false }
        guard !session.isBusy, lastHeard.advanced(by: server.timeouts.staleness) < .now else {
            return true
        }
        return await answers()
    }

    /// Whether the server answers now. Where an answer is due already, that is waited for, and nothing else is asked.
    func answers() async -> Bool {
        guard isOpen, !session.isClosing else { return false }
        guard !session.isBusy || session.isIdling else { return true }
        patience = server.timeouts.probe
        defer { patience = server.timeouts.reply }
        return await (try? run(IMAP.Noop())) != nil
    }
}
