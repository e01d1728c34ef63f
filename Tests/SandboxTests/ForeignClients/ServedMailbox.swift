import MartletBytes
import MartletSandbox
import Testing

/// A message as the sandbox serves it.
struct ServedLetter: Hashable, CustomStringConvertible {
    var uid: UInt32
    var flags: Set<String>
    var text: String

    var octets: [UInt8] { Array(text.utf8) }
    var subject: String {
        text.split(separator: "\r\n").first { $0.hasPrefix("Subject: ") }.map {
            String($0.dropFirst(9))
        } ?? ""
    }
    var description: String { "\(uid) \(subject) \(flags.sorted())" }
}

extension IMAPDialogue {
    /// Puts a message into a mailbox.
    @discardableResult
    func append(
        _ octets: [UInt8], to mailbox: String = "INBOX", flags: String = ""
    ) async throws -> String {
        let answer = try await run(
            "APPEND \"\(mailbox)\" (\(flags)) {\(octets.count)+}\r\n"
                + String(decoding: octets, as: UTF8.self))
        #expect(answer.last?.hasPrefix("OK") == true, "\(answer)")
        return answer.last ?? ""
    }

    /// All messages of a mailbox; nothing is marked as read.
    func letters(in mailbox: String = "INBOX") async throws -> [ServedLetter] {
        guard try await run("EXAMINE \"\(mailbox)\"").last?.hasPrefix("OK") == true else {
            return []
        }
        let rows = try await run("UID FETCH 1:* (FLAGS BODY.PEEK[])")
        _ = try await run("UNSELECT")
        return rows.compactMap { row in
            guard
                let match = row.prefixMatch(
                    of: #/\* \d+ FETCH \(UID (\d+) FLAGS \(([^)]*)\) BODY\[\] \{(\d+)\}\r\n/#),
                let uid = UInt32(match.1), let size = Int(match.3)
            else { return nil }
            let octets = Array(row.utf8).dropFirst(match.0.utf8.count).prefix(size)
            return ServedLetter(
                uid: uid, flags: Set(match.2.split(separator: " ").map(String.init)),
                text: String(decoding: octets, as: UTF8.self))
        }
    }

    /// The names of all mailboxes.
    func mailboxes() async throws -> [String] {
        try await run("LIST \"\" *").compactMap { row in
            row.firstMatch(of: #/^\* LIST \([^)]*\) "/" "?([^"]*)"?$/#).map { String($0.1) }
        }
    }
}

extension Sandbox {
    /// Looks into somebody's mailbox, on a connection of its own.
    func letters(of user: String = "alice", in mailbox: String = "INBOX") async throws
        -> [ServedLetter]
    {
        let imap = try await IMAPDialogue.open(self, as: user)
        let letters = try await imap.letters(in: mailbox)
        await imap.close()
        return letters
    }

    /// Fills somebody's mailbox.
    func fill(
        _ messages: [[UInt8]] = Letters.all, of user: String = "alice", in mailbox: String = "INBOX"
    ) async throws {
        let imap = try await IMAPDialogue.open(self, as: user)
        for message in messages { try await imap.append(message, to: mailbox) }
        await imap.close()
    }
}
