import MartletBytes

/// What became of a message: the body of a `message/delivery-status`. RFC 3464, RFC 6533.
public struct DeliveryStatus: Hashable, Sendable {
    /// What became of it for one recipient. RFC 3464 §2.3.
    public struct Recipient: Hashable, Sendable {
        /// The address that the sender gave, where it is told.
        public var original: ReportAddress?
        /// The address that the message was for at last.
        public var final: ReportAddress?
        /// What was done; `nil` where the report does not say.
        public var action: Action?
        /// The code; `nil` without one.
        public var status: EnhancedStatusCode?
        /// The server that said so.
        public var remoteMTA: TypedReportValue?
        /// What that server said: of type `smtp`, its reply.
        public var diagnostic: TypedReportValue?
        /// When delivery was tried last.
        public var lastAttempt: MailDate?
        /// Until when it will be tried.
        public var retriesUntil: MailDate?
        /// All fields, those above too.
        public var fields: ReportFields

        /// The address that somebody who knows the recipient knows: the original one, or else the final.
        public var address: ReportAddress? { original ?? final }

        /// The code, made more precise by what the server said where it is general or missing.
        public var preciseStatus: EnhancedStatusCode? {
            if let status, !status.isGeneral { return status }
            guard let text = diagnostic?.text else { return status }
            let told =
                EnhancedStatusCode.find(in: text) ?? EnhancedStatusCode.fromReply(in: text)
            if let status { return told?.statusClass == status.statusClass ? told : status }
            return told
        }

        /// Whether the recipient did not get the message and will not: `failed`, or a status of class 5 without any
        /// action.
        public var hasFailed: Bool {
            if let action { return action == .failed }
            return preciseStatus?.isPermanentFailure ?? false
        }

        /// Whether the recipient did not get the message yet.
        public var isDelayed: Bool {
            if let action { return action == .delayed }
            return preciseStatus?.statusClass == 4
        }
    }

    /// What was done with the message. Others than those named here are kept. RFC 3464 §2.3.3.
    public struct Action: Hashable, Sendable {
        /// The name in lower case.
        public var name: String

        /// It was not delivered, and will not be.
        public static let failed = Action("failed")
        /// It was not delivered yet.
        public static let delayed = Action("delayed")
        /// It was delivered.
        public static let delivered = Action("delivered")
        /// It went to a system that does not report.
        public static let relayed = Action("relayed")
        /// It was delivered, and sent on to other addresses.
        public static let expanded = Action("expanded")

        /// Makes an action of a name in lower case.
        public init(_ name: String) { self.name = name }
    }

    /// The name that the sender gave to the sending, `ENVID` of RFC 3461.
    public var originalEnvelopeID: String?
    /// Who made the report.
    public var reportingMTA: TypedReportValue?
    /// Who turned a foreign report into this one.
    public var gateway: TypedReportValue?
    /// From where the reporter had the message.
    public var receivedFromMTA: TypedReportValue?
    /// When it had it.
    public var arrivalDate: MailDate?
    /// The recipients in their order.
    public var recipients: [Recipient]
    /// All fields that are not of a recipient, those above too.
    public var fields: ReportFields

    /// Reads the body of a `message/delivery-status`, decoded. Never fails.
    ///
    /// Groups that are not apart are told by their fields: a second `Final-Recipient` begins a recipient.
    public static func parse(
        _ body: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<DeliveryStatus> {
        let groups = body.withUnsafeBytes { ReportFieldReader.groups(in: $0, limits: limits) }
        var sorter = DeliveryStatusSorter()
        for group in groups.value { sorter.take(group) }
        let status = sorter.finish()
        var defects = groups.defects
        if status.recipients.isEmpty { defects.append(Defect(.invalidValue, at: 0)) }
        return Parsed(status, defects: defects)
    }
}

/// Finds out which fields are of the message and which are of a recipient.
private struct DeliveryStatusSorter {
    private var ofMessage = ReportFields()
    private var recipients: [ReportFields] = []
    private var current: ReportFields?
    // Fields that the recipient has and which no recipient has twice.
    private var seen: Set<String> = []

    private static let recipientNames: Set<String> = [
        "original-recipient", "final-recipient", "action", "status", "remote-mta",
        "diagnostic-code", "last-attempt-date", "final-log-id", "will-retry-until",
        "localized-diagnostic",
    ]
    private static let messageNames: Set<String> = [
        "original-envelope-id", "reporting-mta", "dsn-gateway", "received-from-mta",
        "arrival-date",
    ]

    mutating func take(_ group: ReportFields) {
        endRecipient()
        for field in group {
            let name = field.name.lowercased()
            if Self.messageNames.contains(name) {
                ofMessage.append(field)
                continue
            }
            guard Self.recipientNames.contains(name) || current != nil else {
                ofMessage.append(field)
                continue
            }
            // The one is the next recipient's if this one has it.
            if name == "final-recipient" || name == "original-recipient", seen.contains(name) {
                endRecipient()
            }
            seen.insert(name)
            var recipient = current ?? ReportFields()
            current = nil
            recipient.append(field)
            current = recipient
        }
    }

    private mutating func endRecipient() {
        if let current { recipients.append(current) }
        current = nil
        seen = []
    }

    mutating func finish() -> DeliveryStatus {
        endRecipient()
        return DeliveryStatus(
            originalEnvelopeID: ofMessage["Original-Envelope-Id"],
            reportingMTA: TypedReportValue(ofMessage["Reporting-MTA"]),
            gateway: TypedReportValue(ofMessage["DSN-Gateway"]),
            receivedFromMTA: TypedReportValue(ofMessage["Received-From-MTA"]),
            arrivalDate: ofMessage.date("Arrival-Date"),
            recipients: recipients.map(Self.recipient), fields: ofMessage)
    }

    private static func recipient(_ fields: ReportFields) -> DeliveryStatus.Recipient {
        let action = fields["Action"].map {
            String($0.lowercased().prefix { $0.isLetter || $0 == "-" })
        }
        return DeliveryStatus.Recipient(
            original: ReportAddress(fields["Original-Recipient"]),
            final: ReportAddress(fields["Final-Recipient"]),
            action: action.flatMap { $0.isEmpty ? nil : DeliveryStatus.Action($0) },
            status: fields["Status"].flatMap(EnhancedStatusCode.find),
            remoteMTA: TypedReportValue(fields["Remote-MTA"]),
            diagnostic: TypedReportValue(fields["Diagnostic-Code"]),
            lastAttempt: fields.date("Last-Attempt-Date"),
            retriesUntil: fields.date("Will-Retry-Until"), fields: fields)
    }
}
