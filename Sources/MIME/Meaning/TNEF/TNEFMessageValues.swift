import MartletBytes
import MartletText

/// Where the values of a message stand, until all are known that say how to read them.
struct TNEFMessageValues {
    /// Where a text stands, and whether it is in UTF-16.
    struct Text {
        var range: Range<Int>
        var isUnicode = false
    }

    var messageClass: Text?
    var subject: Text?
    var body: Text?
    var dateSent: Range<Int>?
    var codePage: UInt32?
    private var messageID: Text?
    private var senderName: Text?
    private var senderAddress: Text?
    private var senderAddressType: Text?
    private var senderSMTPAddress: Text?
    private var html: (range: Range<Int>, type: UInt16)?
    private var compressedRTF: Range<Int>?
    private var submitTime: UInt64?
    private var internetCodePage: UInt32?

    /// The charset of text that is not in UTF-16.
    var charset: Charset? { codePage.flatMap(TNEFText.charset(ofCodePage:)) }

    /// Takes an attribute, unless a property, which may be in UTF-16, has said the same.
    mutating func set(_ text: WritableKeyPath<Self, Text?>, to range: Range<Int>) {
        if self[keyPath: text] == nil { self[keyPath: text] = Text(range: range) }
    }

    mutating func take(_ property: TNEFProperty, _ octets: UnsafeRawBufferPointer) {
        typealias ID = TNEFProperty.ID
        var cursor = TNEFCursor(octets, in: property.value)
        switch property.id {
        case ID.messageClass: messageClass = text(property) ?? messageClass
        case ID.subject: subject = text(property) ?? subject
        case ID.body: body = text(property) ?? body
        case ID.internetMessageID: messageID = messageID ?? text(property)
        case ID.senderName: senderName = senderName ?? text(property)
        case ID.senderAddress: senderAddress = senderAddress ?? text(property)
        case ID.senderAddressType: senderAddressType = senderAddressType ?? text(property)
        case ID.senderSMTPAddress: senderSMTPAddress = senderSMTPAddress ?? text(property)
        case ID.html: if html == nil { html = (property.value, property.type) }
        case ID.compressedRTF:
            if property.type == TNEFProperty.ValueType.binary {
                compressedRTF = compressedRTF ?? property.value
            }
        case ID.clientSubmitTime: submitTime = cursor.uint64()
        case ID.internetCodePage: internetCodePage = cursor.uint32()
        case ID.messageCodePage: codePage = codePage ?? cursor.uint32()
        default: break
        }
    }

    private func text(_ property: TNEFProperty) -> Text? {
        switch property.type {
        case TNEFProperty.ValueType.string8: Text(range: property.value)
        case TNEFProperty.ValueType.unicode: Text(range: property.value, isUnicode: true)
        default: nil
        }
    }

    // MARK: The message

    func message(
        _ octets: UnsafeRawBufferPointer, parent: Int?, limits: MIMELimits,
        _ defects: inout [Defect]
    ) -> TNEF.Message {
        func line(_ text: Text?) -> String? {
            text.flatMap {
                TNEFText.line(octets, $0.range, isUnicode: $0.isUnicode, charset: charset)
            }
        }
        var message = TNEF.Message(parent: parent)
        message.subject = line(subject)
        message.messageClass = line(messageClass)
        message.messageID = line(messageID).map(\.withoutBrackets)
        message.senderName = line(senderName)
        message.senderAddress = line(senderSMTPAddress)
        if message.senderAddress == nil, line(senderAddressType)?.uppercased() == "SMTP" {
            message.senderAddress = line(senderAddress)
        }
        message.date = date(octets)
        message.text = body.map {
            TNEFText.string(octets, $0.range, isUnicode: $0.isUnicode, charset: charset)
        }
        message.html = htmlText(octets)
        if let compressedRTF {
            let rtf = CompressedRTF.decompress(
                UnsafeRawBufferPointer(rebasing: octets[compressedRTF]), limits: limits)
            message.rtf = rtf.value
            defects += rtf.defects.map { $0.moved(by: compressedRTF.lowerBound) }
        }
        return message
    }

    private func htmlText(_ octets: UnsafeRawBufferPointer) -> String? {
        guard let (range, type) = html else { return nil }
        if type != TNEFProperty.ValueType.binary {
            let isUnicode = type == TNEFProperty.ValueType.unicode
            return TNEFText.string(octets, range, isUnicode: isUnicode, charset: charset)
        }
        var content = UnsafeRawBufferPointer(rebasing: octets[range])
        while content.last == 0 { content = UnsafeRawBufferPointer(rebasing: content.dropLast()) }
        let label = internetCodePage.flatMap(TNEFText.charset(ofCodePage:))?.name
        return TextDecoding(label: label, isHTML: true).text(of: content).value
    }

    private func date(_ octets: UnsafeRawBufferPointer) -> MailDate? {
        // Tenths of microseconds since 1601.
        if let submitTime, submitTime > 0 {
            return MailDate(secondsSinceEpoch: Int64(submitTime / 10_000_000) - 11_644_473_600)
        }
        guard let dateSent else { return nil }
        var cursor = TNEFCursor(octets, in: dateSent)
        var numbers: [Int] = []
        while numbers.count < 6, let number = cursor.uint16() { numbers.append(Int(number)) }
        guard numbers.count == 6, 1_601...9_999 ~= numbers[0], 1...12 ~= numbers[1],
            1...31 ~= numbers[2], numbers[3] < 24, numbers[4] < 60, numbers[5] < 61
        else { return nil }
        let days = MailDate.daysSinceEpoch(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
        return MailDate(secondsSinceEpoch: Int64(seconds))
    }
}
