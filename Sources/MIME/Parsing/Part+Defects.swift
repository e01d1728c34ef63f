import MartletBytes
import MartletText

extension Part {
    /// Everything that is wrong with the part itself: its structure, its fields and its body, all of which are decoded for it.
    /// Offsets are of `octets`. Parts inside of it have their own.
    ///
    /// At most `MIMELimits.defectCount`; one more tells of the limit.
    public func allDefects(detector: CharsetDetector? = nil) -> [Defect] {
        var all = defects
        let limit = table.limits.defectCount
        for field in header where all.count <= limit {
            let start = field.valueRange.lowerBound
            all += field.defects.map { $0.moved(by: start) }
        }
        if kind == .leaf, all.count <= limit { all += bodyDefects(detector) }
        all.sort { $0.offset < $1.offset }
        guard all.count > limit else { return all }
        let last = Defect(.limitReached, at: all[limit].offset, limit: "defectCount")
        return all[..<limit] + [last]
    }

    private func bodyDefects(_ detector: CharsetDetector?) -> [Defect] {
        let start = bodyRange.lowerBound
        let found =
            contentType.type == "text" ? text(detector: detector).defects : decodedBody().defects
        return found.map { defect in
            // Where text is wrong is known in decoded octets only.
            let isOfText = defect.kind == .malformedText || defect.kind == .unknownCharset
            return defect.moved(by: isOfText ? start - defect.offset : start)
        }
    }
}

extension PartHeader.Field {
    /// What is wrong with the value, read as the field's name says.
    public var defects: [Defect] {
        switch FieldKind(name: name) {
        case .addresses: addresses.defects
        case .date: parsedDate.defects
        case .messageIDs: messageIDs.defects
        case .contentType:
            withRawValue { ContentTypeField.parse($0, limits: header.table.limits).defects }
        case .disposition:
            withRawValue { ContentDispositionField.parse($0, limits: header.table.limits).defects }
        case .transferEncoding:
            withRawValue { ContentTransferEncoding.parse($0, limits: header.table.limits).defects }
        case .text: text.defects
        }
    }
}

/// How the values of the fields are read that every message has.
enum FieldKind {
    case addresses, date, messageIDs, contentType, disposition, transferEncoding, text

    init(name: String) {
        switch name.lowercased() {
        case "from", "sender", "reply-to", "to", "cc", "bcc", "resent-from", "resent-sender",
            "resent-to", "resent-cc", "resent-bcc", "disposition-notification-to":
            self = .addresses
        case "date", "resent-date": self = .date
        case "message-id", "resent-message-id", "in-reply-to", "references", "content-id":
            self = .messageIDs
        case "content-type": self = .contentType
        case "content-disposition": self = .disposition
        case "content-transfer-encoding": self = .transferEncoding
        default: self = .text
        }
    }
}
