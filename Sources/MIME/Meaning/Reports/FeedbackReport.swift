import MartletBytes

/// A complaint about a message: the body of a `message/feedback-report`. RFC 5965 §3, RFC 6591.
public struct FeedbackReport: Hashable, Sendable {
    /// What it is about, in lower case: `abuse`, `fraud`, `virus`, `not-spam`, `auth-failure`, `other`.
    public var feedbackType: String?
    /// The program that reports.
    public var userAgent: String?
    /// The version of the format.
    public var version: String?
    /// The envelope's sender of the message, without angle brackets.
    public var originalMailFrom: String?
    /// The envelope's recipients, without angle brackets.
    public var originalRecipients: [String]
    /// When the message arrived.
    public var arrivalDate: MailDate?
    /// From where it came.
    public var sourceIP: String?
    /// Who made the report.
    public var reportingMTA: TypedReportValue?
    /// How many messages it is about; 1 where it does not say, or says no number of messages.
    public var incidentCount: Int
    /// The domains that are thought to be at fault.
    public var reportedDomains: [String]
    /// The URIs that are.
    public var reportedURIs: [String]
    /// What failed, in lower case: `dkim`, `spf`, `dmarc` and others. RFC 6591 §3.1.
    public var authenticationFailure: String?
    /// All fields, those above too.
    public var fields: ReportFields

    /// Reads the body of a `message/feedback-report`, decoded. Never fails.
    public static func parse(
        _ body: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<FeedbackReport> {
        let groups = body.withUnsafeBytes { ReportFieldReader.groups(in: $0, limits: limits) }
        let fields = ReportFields(groups.value.flatMap { $0 })
        let report = FeedbackReport(
            feedbackType: fields["Feedback-Type"]?.lowercased(),
            userAgent: fields["User-Agent"], version: fields["Version"],
            originalMailFrom: fields["Original-Mail-From"]?.withoutBrackets,
            originalRecipients: fields.all("Original-Rcpt-To").map(\.withoutBrackets),
            arrivalDate: fields.date("Arrival-Date", "Received-Date"),
            sourceIP: fields["Source-IP"],
            reportingMTA: TypedReportValue(fields["Reporting-MTA"]),
            incidentCount: fields["Incidents"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? 1,
            reportedDomains: fields.all("Reported-Domain"),
            reportedURIs: fields.all("Reported-URI"),
            authenticationFailure: fields["Auth-Failure"]?.lowercased(), fields: fields)
        var defects = groups.defects
        if report.feedbackType == nil { defects.append(Defect(.invalidValue, at: 0)) }
        return Parsed(report, defects: defects)
    }
}
