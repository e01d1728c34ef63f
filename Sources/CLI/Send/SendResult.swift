import MartletSMTP

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What became of a message, for a person and as JSON.
struct SendResult {
    var server: String
    private var messageID: String?
    private var recipients: [ForwardPath] = []
    private var failure: CommandFailure?
    private var reply: SMTPReply?
    private var deliveryIsUncertain = false
    /// The signal that the program is going to die of.
    var signalNumber: Int32?
    private let start = ContinuousClock.now
    /// What the server said of each recipient.
    var report: DeliveryReport?

    init(server: String) { self.server = server }

    mutating func prepare(_ mail: Mail) {
        messageID = mail.messageID
        recipients = mail.envelope.forwardPaths
    }

    mutating func fail(with error: any Error) {
        failure = CommandFailure(error)
        guard let error = error as? SMTPError else { return }
        reply = error.reply
        deliveryIsUncertain = error.deliveryIsUncertain
        if case .allRecipientsRefused(let report) = error.kind { self.report = report }
    }

    private var status: ExitStatus {
        failure?.status ?? report.map { ExitStatus($0) } ?? .success
    }

    /// Says what there is to say, and gives the number to end with.
    func finish(_ asJSON: Bool, _ console: Console) -> ExitStatus {
        if asJSON { console.output(json.text) }
        if let failure, report == nil {
            console.remark("martlet: \(failure.message)")
        } else if let report, !report.allAccepted {
            console.remark("martlet: " + sentence(of: report))
        } else if console.isWatched, let report {
            console.remark(
                report.accepted.count == 1
                    ? "Sent." : "Sent to \(report.accepted.count) recipients.")
        }
        return status
    }

    /// One refused recipient a line, with the server's words.
    private func sentence(of report: DeliveryReport) -> String {
        let (count, all) = (report.accepted.count, report.recipients.count)
        var lines = [
            count == 0
                ? "not sent: every recipient was refused."
                : "sent to \(count) of \(all) recipients."
        ]
        for recipient in report.refused {
            if recipient.isUncertain {
                lines.append(
                    "\(recipient.path) may have a copy: \(server) did not say. Look before sending again."
                )
                continue
            }
            let delay = recipient.isRefusedForNow ? " for now" : ""
            let reason =
                recipient.outcome.reply.map { "\($0)" }
                ?? "it needs SMTPUTF8, which the server does not offer"
            lines.append(
                "\(recipient.path) was refused\(delay) by \(server):\n      \(reason)")
        }
        let others = report.accepted.isEmpty ? "" : "; the others have their copy"
        let advice =
            report.refused.contains(where: \.isRefusedForGood)
            ? "Check the address" : "Try again later for those refused"
        return lines.joined(separator: "\n") + "\n\(advice)\(others)."
    }

    /// As a shell will see it.
    private var exitStatus: Int32 {
        status == .interrupted ? 128 + (signalNumber ?? SIGINT) : status.rawValue
    }

    private var json: JSONText {
        let last = report?.finalReply ?? reply
        var members: [(name: String, value: JSONText)] = [
            ("ok", .bool(status == .success)),
            ("exitStatus", .integer(Int(exitStatus))),
            ("server", .string(server)),
            ("messageID", .optional(messageID)),
            ("reply", last.map(Self.json) ?? .null),
            ("recipients", .array(recipientResults)),
            ("milliseconds", .milliseconds(ContinuousClock.now - start)),
        ]
        if let failure {
            members.append(("error", failure.json))
            members.append(("deliveryIsUncertain", .bool(deliveryIsUncertain)))
        }
        return .object(members)
    }

    private var recipientResults: [JSONText] {
        guard let report else {
            let outcome: JSONText = deliveryIsUncertain ? "uncertain" : "notSent"
            return recipients.map {
                .object([
                    ("address", .string($0.description)), ("outcome", outcome), ("reply", .null),
                ])
            }
        }
        return report.recipients.map { recipient in
            let outcome: JSONText =
                recipient.isAccepted
                ? "accepted"
                : recipient.isUncertain
                    ? "uncertain" : recipient.isRefusedForNow ? "deferred" : "refused"
            return .object([
                ("address", .string(recipient.path.description)), ("outcome", outcome),
                ("reply", recipient.outcome.reply.map(Self.json) ?? .null),
            ])
        }
    }

    private static func json(_ reply: SMTPReply) -> JSONText {
        .object([
            ("code", .integer(reply.code)),
            ("enhanced", .optional(reply.enhanced.map { "\($0)" })),
            ("text", .string(reply.text)),
        ])
    }
}
