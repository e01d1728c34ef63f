import MartletBytes

/// What a recipient did with a message: the body of a `message/disposition-notification`. RFC 8098 §3.
public struct DispositionNotification: Hashable, Sendable {
    /// What was done. RFC 8098 §3.2.6.
    public struct Disposition: Hashable, Sendable {
        /// `manual-action` or `automatic-action`: who decided; in lower case.
        public var actionMode: String
        /// `mdn-sent-manually` or `mdn-sent-automatically`; in lower case.
        public var sendingMode: String
        /// `displayed`, `deleted`, `dispatched`, `processed`; in lower case.
        public var type: String
        /// `error` and others; in lower case.
        public var modifiers: [String]

        /// Whether the message was shown to somebody, as far as a program can tell.
        public var isDisplayed: Bool { type == "displayed" }
    }

    /// The program that reports.
    public var reportingUA: String?
    /// Who turned a foreign notification into this one.
    public var gateway: TypedReportValue?
    /// The address that the sender gave, where it is told.
    public var originalRecipient: ReportAddress?
    /// The address that the message was for at last.
    public var finalRecipient: ReportAddress?
    /// The message that it is about.
    public var originalMessageID: MessageReference?
    /// What was done; `nil` without the field.
    public var disposition: Disposition?
    /// What went wrong.
    public var errors: [String]
    /// All fields, those above too.
    public var fields: ReportFields

    /// Reads the body of a `message/disposition-notification`, decoded. Never fails.
    public static func parse(
        _ body: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<DispositionNotification> {
        let groups = body.withUnsafeBytes { ReportFieldReader.groups(in: $0, limits: limits) }
        let fields = ReportFields(groups.value.flatMap { $0 })
        let id = fields.first { $0.isNamed("Original-Message-ID") }
        let notification = DispositionNotification(
            reportingUA: fields["Reporting-UA"],
            gateway: TypedReportValue(fields["MDN-Gateway"]),
            originalRecipient: ReportAddress(fields["Original-Recipient"]),
            finalRecipient: ReportAddress(fields["Final-Recipient"]),
            originalMessageID: id.flatMap { MessageReference.parse($0.rawValue[...]).value },
            disposition: fields["Disposition"].flatMap(disposition),
            errors: fields.all("Error") + fields.all("Failure"), fields: fields)
        var defects = groups.defects
        if notification.disposition == nil { defects.append(Defect(.invalidValue, at: 0)) }
        return Parsed(notification, defects: defects)
    }

    // disposition-mode ";" disposition-type [ "/" disposition-modifier *( "," disposition-modifier ) ]
    private static func disposition(_ text: String) -> Disposition? {
        let halves = text.lowercased().utf8.split(
            separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        func names(_ text: Substring.UTF8View?, by separator: UInt8) -> [String] {
            (text ?? "".utf8[...]).split(separator: separator, maxSplits: 100)
                .map { String(decoding: $0, as: UTF8.self).trimmedOfSpace }
        }
        let slash = UInt8(ascii: "/")
        let modes = halves.count == 2 ? names(halves[0], by: slash) : []
        let pieces = (halves.last ?? "".utf8[...]).split(
            separator: slash, maxSplits: 1, omittingEmptySubsequences: false)
        guard let type = names(pieces.first, by: slash).first, !type.isEmpty else { return nil }
        return Disposition(
            actionMode: modes.first ?? "", sendingMode: modes.count > 1 ? modes[1] : "",
            type: type,
            modifiers: pieces.count == 2 ? names(pieces[1], by: UInt8(ascii: ",")) : [])
    }
}
