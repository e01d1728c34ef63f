import MartletBytes
import MartletText

/// Reads attributes of messages, one message after the other: those that are attached wait in a list.
struct TNEFReader {
    /// What an attribute says. Others are skipped. [MS-OXTNEF] §2.1.3.
    enum Attribute {
        static let messageClass: UInt32 = 0x0007_8008
        static let subject: UInt32 = 0x0001_8004
        static let dateSent: UInt32 = 0x0003_8005
        static let body: UInt32 = 0x0002_800C
        static let attachData: UInt32 = 0x0006_800F
        static let attachTitle: UInt32 = 0x0001_8010
        static let attachTransportName: UInt32 = 0x0006_9001
        static let attachRendering: UInt32 = 0x0006_9002
        static let messageProperties: UInt32 = 0x0006_9003
        static let attachProperties: UInt32 = 0x0006_9005
        static let codePage: UInt32 = 0x0006_9007
    }

    let octets: UnsafeRawBufferPointer
    let limits: MIMELimits
    private(set) var tnef: TNEF
    private(set) var defects: [Defect] = []

    /// A message that is still to be read.
    private struct Waiting {
        var range: Range<Int>
        var parent: Int?
        var depth: Int
        var file: Int?
    }

    private var waiting: [Waiting] = []
    // Of the message that is being read.
    private var depth = 0
    private var values = TNEFMessageValues()
    private var file: TNEFFileValues?

    init(_ memory: UnsafeRawBufferPointer, of octets: Octets, limits: MIMELimits) {
        self.octets = memory
        self.limits = limits
        tnef = TNEF(octets: octets)
        waiting = [Waiting(range: 0..<memory.count, parent: nil, depth: 0, file: nil)]
    }

    mutating func run() {
        var next = 0
        while next < waiting.count {
            let message = waiting[next]
            next += 1
            depth = message.depth
            values = TNEFMessageValues()
            tnef.messages.append(TNEF.Message(parent: message.parent))
            if let file = message.file {
                tnef.files[file].kind = .message(index: tnef.messages.count - 1)
            }
            readAttributes(in: message.range)
            endFile()
            tnef.messages[tnef.messages.count - 1] = values.message(
                octets, parent: message.parent, limits: limits, &defects)
        }
    }

    // attribute = level id length data checksum ; §2.1.2
    private mutating func readAttributes(in range: Range<Int>) {
        var cursor = TNEFCursor(octets, in: range)
        guard cursor.range(6) != nil else { return note(at: range.lowerBound) }
        while !cursor.isAtEnd {
            let start = cursor.offset
            guard let level = cursor.uint8(), level == 1 || level == 2 else {
                return note(at: start)
            }
            guard let id = cursor.uint32(), let length = cursor.uint32() else {
                return note(at: start)
            }
            let isWhole = Int(length) <= cursor.left
            guard let data = cursor.range(isWhole ? Int(length) : cursor.left) else { return }
            take(id, data, isOfFile: level == 2)
            guard isWhole, let checksum = cursor.uint16() else { return note(at: start) }
            if checksum != sum(data) {
                defects.append(Defect(.wrongChecksum, at: data.lowerBound))
            }
        }
    }

    private func sum(_ range: Range<Int>) -> UInt16 {
        var sum: UInt32 = 0
        for octet in octets[range] { sum &+= UInt32(octet) }
        return UInt16(truncatingIfNeeded: sum)
    }

    private mutating func note(at offset: Int) {
        defects.append(Defect(.invalidTNEF, at: offset))
    }

    // MARK: Attributes

    private mutating func take(_ id: UInt32, _ data: Range<Int>, isOfFile: Bool) {
        if isOfFile { return takeOfFile(id, data) }
        switch id {
        case Attribute.messageClass: values.set(\.messageClass, to: data)
        case Attribute.subject: values.set(\.subject, to: data)
        case Attribute.body: values.set(\.body, to: data)
        case Attribute.dateSent: values.dateSent = data
        case Attribute.codePage:
            var cursor = TNEFCursor(octets, in: data)
            values.codePage = cursor.uint32()
        case Attribute.messageProperties:
            var list = TNEFPropertyList(octets, in: data)
            while let property = list.next() { values.take(property, octets) }
            if let damage = list.damage { note(at: damage) }
        default: break
        }
    }

    private mutating func takeOfFile(_ id: UInt32, _ data: Range<Int>) {
        if id == Attribute.attachRendering { endFile() }
        var file = self.file ?? TNEFFileValues(start: data.lowerBound)
        self.file = nil
        switch id {
        case Attribute.attachData: file.data = data
        case Attribute.attachTitle: file.title = data
        case Attribute.attachTransportName: file.transportName = data
        case Attribute.attachProperties:
            var list = TNEFPropertyList(octets, in: data)
            while let property = list.next() { file.take(property, octets) }
            if let damage = list.damage { note(at: damage) }
        default: break
        }
        self.file = file
    }

    /// Adds the file whose attributes were read.
    private mutating func endFile() {
        guard let file else { return }
        self.file = nil
        guard tnef.files.count < limits.embeddedFileCount else {
            if defects.last?.limit != "embeddedFileCount" {
                defects.append(
                    Defect(.limitReached, at: file.start, limit: "embeddedFileCount"))
            }
            return
        }
        let message = tnef.messages.count - 1
        guard var value = file.file(octets, message: message, charset: values.charset) else {
            return note(at: file.start)
        }
        if value.kind == .unreadMessage {
            if depth + 1 < limits.tnefDepth {
                waiting.append(
                    Waiting(
                        range: value.range, parent: message, depth: depth + 1,
                        file: tnef.files.count))
            } else {
                defects.append(
                    Defect(.limitReached, at: value.range.lowerBound, limit: "tnefDepth"))
            }
        }
        if value.type.type.isEmpty { value.type = .octetStream }
        tnef.files.append(value)
    }
}

extension ContentTypeField {
    /// `application/octet-stream`: octets of which nothing is known.
    static let octetStream = ContentTypeField(type: "application", subtype: "octet-stream")
}
