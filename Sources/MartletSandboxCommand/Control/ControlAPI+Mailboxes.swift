import MartletCLI
import MartletHTTPServer
import MartletIMAPCore
import MartletMIME
import MartletSandbox

/// Mailboxes as IMAP and POP3 show them: `/api/users/bob/mailboxes/INBOX`.
extension ControlAPI {
    func users(
        _ request: HTTPRequest, _ path: ArraySlice<String>
    ) async throws(ControlFailure) -> HTTPResponse {
        let parts = Array(path)
        guard parts.count >= 2, !parts[0].isEmpty, parts[1] == "mailboxes" else {
            throw Self.notFound
        }
        if parts.count == 2 {
            try Self.require(request, .get)
            let mailboxes = await sandbox.mailboxes(of: parts[0])
            return .json(
                .object([("mailboxes", .array(mailboxes.map { json($0, withMessages: false) }))]))
        }
        // A name with levels is written as it is, or with %2F.
        let name = parts[2...].joined(separator: "/")
        try Self.require(request, .get, .post)
        if request.method == .post { return try await append(request, to: name, of: parts[0]) }
        guard let mailbox = await sandbox.mailbox(name, of: parts[0]) else {
            throw ControlFailure(
                .notFound, "noSuchMailbox", "\(parts[0]) has no mailbox \"\(name)\".")
        }
        return .json(json(mailbox, withMessages: true))
    }

    /// The body is the message; `?flags=` has its flags, with commas.
    private func append(
        _ request: HTTPRequest, to name: String, of user: String
    ) async throws(ControlFailure) -> HTTPResponse {
        var flags: [MessageFlag] = []
        for item in request.target.queryItems {
            guard item.name == "flags" else {
                throw ControlFailure(
                    .badRequest, "invalidQuery", "There is no \"\(item.name)\" in a query here.")
            }
            for word in (item.value ?? "").split(separator: ",") {
                guard let flag = MessageFlag(String(word)) else {
                    throw ControlFailure(
                        .badRequest, "invalidQuery", "\"\(word)\" cannot be a flag.")
                }
                flags.append(flag)
            }
        }
        do throws(SandboxError) {
            let uid = try await sandbox.append(request.body, to: name, of: user, flags: flags)
            return .json(.object([("uid", .count(uid.rawValue))]), status: .created)
        } catch {
            throw ControlFailure(.conflict, "mailbox", error.description)
        }
    }

    private func json(_ mailbox: StoredMailbox, withMessages: Bool) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("name", .string(mailbox.name)), ("id", .string(mailbox.id)),
            ("uidValidity", .count(mailbox.uidValidity.rawValue)),
            ("uses", .array(mailbox.uses.map { .string("\($0)") })),
            ("isSubscribed", .bool(mailbox.isSubscribed)),
            ("count", .integer(mailbox.messages.count)),
            ("unseen", .integer(mailbox.messages.count { !$0.isSeen })),
        ]
        if withMessages {
            members.append(
                (
                    "messages",
                    .array(
                        mailbox.messages.map { entry in
                            .object([
                                ("uid", .count(entry.uid.rawValue)),
                                ("flags", .array(entry.flags.map { .string($0.rawValue) })),
                                ("date", .integer(Int(entry.internalDate.secondsSinceEpoch))),
                                ("sizeInOctets", .integer(entry.octets.count)),
                                ("subject", .optional(entry.message.subject)),
                            ])
                        })
                ))
        }
        return .object(members)
    }
}
