import MartletBytes

/// A report that was found in a message, and what was sent with it. RFC 6522.
public struct MessageReport<Content: Sendable>: Sendable {
    /// What it reports.
    public let content: Content
    /// What is wrong with the body of the report.
    public let defects: [Defect]
    /// The part that it is.
    public let part: Part
    /// The message that it is about, as far as it was sent back.
    public let returned: ReturnedMessage?
}

/// A message that came back with a report.
public struct ReturnedMessage: Sendable {
    /// The message: its header, and its body if that was sent along.
    public let message: Part
    /// Whether there is more than a header.
    public let hasBody: Bool
    /// The part of the report in which it is.
    public let part: Part
}

extension Message {
    /// What became of a message that was sent, if this message says so; also where the report lies in other parts.
    /// RFC 3464, RFC 6533.
    public var deliveryStatus: MessageReport<DeliveryStatus>? {
        root.report(["delivery-status", "global-delivery-status"]) {
            DeliveryStatus.parse($0, limits: $1)
        }
    }

    /// What a recipient did with a message that was sent, if this message says so. RFC 8098.
    public var dispositionNotification: MessageReport<DispositionNotification>? {
        root.report(["disposition-notification", "global-disposition-notification"]) {
            DispositionNotification.parse($0, limits: $1)
        }
    }

    /// A complaint about a message that was sent, if this message is one. RFC 5965.
    public var feedbackReport: MessageReport<FeedbackReport>? {
        root.report(["feedback-report"]) { FeedbackReport.parse($0, limits: $1) }
    }
}

extension Part {
    fileprivate func report<Content>(
        _ subtypes: [String], _ parse: ([UInt8], MIMELimits) -> Parsed<Content>
    ) -> MessageReport<Content>? {
        let parts = partsOfMessage
        let found = parts.first { part in
            guard part.kind == .leaf else { return false }
            let type = part.contentType
            return type.type == "message" && subtypes.contains(type.subtype)
        }
        guard let found else { return nil }
        let body = found.decodedBody()
        let content = parse(body.value, table.limits)
        return MessageReport(
            content: content.value, defects: body.defects + content.defects, part: found,
            returned: Self.returned(in: parts, behind: found))
    }

    /// The message behind the report, or else anywhere.
    private static func returned(in parts: [Part], behind report: Part) -> ReturnedMessage? {
        let candidates = parts.filter { $0.index > report.index } + parts
        return candidates.lazy.compactMap(\.asReturnedMessage).first
    }

    /// The message, if the part is one that was sent back whole or as a header.
    var asReturnedMessage: ReturnedMessage? {
        if let message = embeddedMessage {
            return ReturnedMessage(message: message, hasBody: true, part: self)
        }
        guard kind == .leaf else { return nil }
        let type = contentType
        let isHeader =
            type.subtype == "rfc822-headers" && ["text", "message"].contains(type.type)
            || type.type == "message" && type.subtype == "global-headers"
        guard isHeader else { return nil }
        let header = Message(parsing: decodedBody().value, limits: table.limits)
        return ReturnedMessage(message: header.root, hasBody: false, part: self)
    }
}
