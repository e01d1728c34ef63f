import MartletBytes
import MartletText

/// Where the values of an attached file stand, until all of its attributes are known.
struct TNEFFileValues {
    /// Where the first attribute is.
    let start: Int
    var data: Range<Int>?
    var title: Range<Int>?
    var transportName: Range<Int>?
    private var names: [UInt16: TNEFMessageValues.Text] = [:]
    private var value: (range: Range<Int>, isObject: Bool)?
    private var method: UInt32 = 0
    private var flags: UInt32 = 0
    private var isHidden = false

    /// `PR_ATTACH_METHOD`: a message, an OLE object.
    private static let embeddedMessage: UInt32 = 5
    /// `PR_ATTACH_FLAGS`: the HTML refers to it.
    private static let isReferenced: UInt32 = 4

    init(start: Int) { self.start = start }

    mutating func take(_ property: TNEFProperty, _ octets: UnsafeRawBufferPointer) {
        typealias ID = TNEFProperty.ID
        var cursor = TNEFCursor(octets, in: property.value)
        switch property.id {
        case ID.attachData:
            let isObject = property.type == TNEFProperty.ValueType.object
            if isObject || property.type == TNEFProperty.ValueType.binary {
                value = (property.value, isObject)
            }
        case ID.attachMethod: method = cursor.uint32() ?? 0
        case ID.attachFlags: flags = cursor.uint32() ?? 0
        case ID.attachmentHidden: isHidden = cursor.uint16() ?? 0 != 0
        case ID.displayName, ID.attachFileName, ID.attachLongFileName, ID.attachTransportName,
            ID.attachMIMETag, ID.attachContentID:
            let isUnicode = property.type == TNEFProperty.ValueType.unicode
            guard isUnicode || property.type == TNEFProperty.ValueType.string8 else { return }
            names[property.id] = .init(range: property.value, isUnicode: isUnicode)
        default: break
        }
    }

    /// The file; `nil` if it has no octets at all, not even none.
    func file(
        _ octets: UnsafeRawBufferPointer, message: Int, charset: Charset?
    ) -> TNEF.File? {
        func line(_ id: UInt16) -> String? {
            names[id].flatMap {
                TNEFText.line(octets, $0.range, isUnicode: $0.isUnicode, charset: charset)
            }
        }
        func line(_ range: Range<Int>?) -> String? {
            range.flatMap { TNEFText.line(octets, $0, isUnicode: false, charset: charset) }
        }
        guard let (range, kind) = content(octets) else { return nil }
        typealias ID = TNEFProperty.ID
        let title = line(self.title)
        let isTitleEmpty = title.map { $0.lowercased().hasPrefix("untitled") } ?? true
        let longName = line(ID.attachLongFileName) ?? line(ID.attachTransportName)
        let name =
            longName ?? (isTitleEmpty ? nil : title) ?? line(ID.attachFileName)
            ?? line(transportName) ?? line(ID.displayName) ?? title
        var file = TNEF.File(
            kind: kind, message: message, name: name, type: .octetStream, range: range)
        switch kind {
        case .file: file.type = Self.type(line(ID.attachMIMETag), name: name)
        case .object: file.type = ContentTypeField(type: "application", subtype: "x-ole-storage")
        case .message, .unreadMessage:
            file.type = ContentTypeField(type: "application", subtype: "ms-tnef")
        }
        file.contentID = line(ID.attachContentID).map(\.withoutBrackets)
        file.isInline = file.contentID != nil && (isHidden || flags & Self.isReferenced != 0)
        return file
    }

    private static func type(_ tag: String?, name: String?) -> ContentTypeField {
        if let tag, tag.utf8.contains(UInt8(ascii: "/")) {
            return ContentTypeField.parse(Array(tag.utf8)[...]).value
        }
        let known = name.map(ContentType.forFileName) ?? .octetStream
        return ContentTypeField(type: known.type, subtype: known.subtype)
    }

    /// The octets: of the property rather than of the attribute, which says for objects only that it cannot hold them.
    private func content(
        _ octets: UnsafeRawBufferPointer
    ) -> (range: Range<Int>, kind: TNEF.File.Kind)? {
        guard let value else { return data.map { ($0, .file) } }
        guard value.isObject else { return (value.range, .file) }
        // An object begins with the number of its interface.
        guard value.range.count >= 16 else { return (value.range, .object) }
        let content = (value.range.lowerBound + 16)..<value.range.upperBound
        let isMessage =
            method == Self.embeddedMessage
            || Self.messageInterface.elementsEqual(octets[value.range.prefix(16)])
        let isTNEF = TNEFCursor(octets, in: content).peekUInt32() == TNEF.signature
        return (content, isMessage && isTNEF ? .unreadMessage : .object)
    }

    /// `IID_IMessage`, {00020307-0000-0000-C000-000000000046}.
    private static let messageInterface: [UInt8] = [
        0x07, 0x03, 0x02, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46,
    ]
}
