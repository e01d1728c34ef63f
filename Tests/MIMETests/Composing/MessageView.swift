import MartletBytes

@testable import MartletMIME

/// What two messages that say the same have in common: line ends are LF, the last one is not counted, and
/// what the HTML shows comes first, as it does in a message.
struct MessageView: Equatable {
    struct File: Equatable {
        var name: String
        var type: String
        var parameters: [ContentType.Parameter]
        var octets: [UInt8]?
        var disposition: Attachment.Disposition
        var contentID: MessageID?
    }

    var from: [MailboxAddress]
    var sender: MailboxAddress?
    var to: [MailboxAddress]
    var toGroups: [MailboxGroup]
    var cc: [MailboxAddress]
    var ccGroups: [MailboxGroup]
    var bcc: [MailboxAddress]
    var replyTo: [MailboxAddress]
    var readReceiptTo: [MailboxAddress]
    var subject: String
    var date: MailDate?
    var names: [[MessageID]]
    var keywords: [String]
    var remarks: [String?]
    var languages: [String]
    var text: String
    var format: TextFormat
    var ampHTML: String?
    var html: String?
    var calendar: CalendarObject?
    var files: [File]
    var importance: Importance?
    var autoSubmission: AutoSubmission?
    var precedence: Precedence?
    var list: ListFields
    var extraFields: HeaderFields

    init(_ message: OutgoingMessage) throws {
        from = message.from
        sender = message.sender
        to = message.to
        toGroups = message.toGroups
        cc = message.cc
        ccGroups = message.ccGroups
        bcc = message.bcc
        replyTo = message.replyTo
        readReceiptTo = message.readReceiptTo
        subject = message.subject
        date = message.date
        names = [message.messageID.map { [$0] } ?? [], message.inReplyTo, message.references]
        keywords = message.keywords
        remarks = [
            message.comments, message.organization, message.userAgent, message.xMailer,
        ]
        languages = message.contentLanguage
        text = Self.lines(message.text) ?? ""
        format = message.textFormat
        ampHTML = Self.lines(message.ampHTML)
        html = Self.lines(message.html)
        calendar = try message.calendar.map {
            try CalendarObject(Self.lines($0.text) ?? "", fileName: $0.fileName)
        }
        let shown = message.attachments.filter { message.html != nil && $0.isRelatedToHTML }
        let others = message.attachments.filter { message.html == nil || !$0.isRelatedToHTML }
        files = (shown + others).map(File.init(of:))
        importance = message.importance
        autoSubmission = message.autoSubmission
        precedence = message.precedence
        list = message.list
        extraFields = message.extraFields
    }

    private static func lines(_ text: String?) -> String? {
        guard let text else { return nil }
        let octets = canonicalLines(text.utf8).filter { $0 != ASCII.cr }
        return String(
            decoding: octets.last == ASCII.lf ? octets.dropLast() : octets[...], as: UTF8.self)
    }
}

extension MessageView.File {
    init(of attachment: Attachment) {
        name = attachment.name
        type = attachment.contentType.description
        // A text in UTF-8 is labelled.
        parameters = attachment.contentType.parameters.filter { $0.name != "charset" }
        octets = attachment.content.octetsInMemory
        disposition = attachment.disposition
        contentID = attachment.contentID
    }
}
