import MartletBytes

/// A MAPI property that an attribute holds: its first value. [MS-OXTNEF] §2.1.3.4.
struct TNEFProperty {
    /// What it says. Others are skipped.
    enum ID {
        static let messageClass: UInt16 = 0x001A
        static let subject: UInt16 = 0x0037
        static let clientSubmitTime: UInt16 = 0x0039
        static let senderName: UInt16 = 0x0C1A
        static let senderAddressType: UInt16 = 0x0C1E
        static let senderAddress: UInt16 = 0x0C1F
        static let body: UInt16 = 0x1000
        static let compressedRTF: UInt16 = 0x1009
        static let html: UInt16 = 0x1013
        static let internetMessageID: UInt16 = 0x1035
        static let displayName: UInt16 = 0x3001
        static let attachData: UInt16 = 0x3701
        static let attachFileName: UInt16 = 0x3704
        static let attachMethod: UInt16 = 0x3705
        static let attachLongFileName: UInt16 = 0x3707
        static let attachTransportName: UInt16 = 0x370C
        static let attachMIMETag: UInt16 = 0x370E
        static let attachContentID: UInt16 = 0x3712
        static let attachFlags: UInt16 = 0x3714
        static let internetCodePage: UInt16 = 0x3FDE
        static let messageCodePage: UInt16 = 0x3FFD
        static let senderSMTPAddress: UInt16 = 0x5D01
        static let attachmentHidden: UInt16 = 0x7FFE
    }

    /// How the value is written.
    enum ValueType {
        static let string8: UInt16 = 0x001E
        static let unicode: UInt16 = 0x001F
        static let object: UInt16 = 0x000D
        static let binary: UInt16 = 0x0102
        static let multiple: UInt16 = 0x1000
    }

    let id: UInt16
    let type: UInt16
    /// Where its first value is.
    let value: Range<Int>
}

/// Goes through a list of properties; named ones and those with several values are stepped over right.
struct TNEFPropertyList {
    private var cursor: TNEFCursor
    private var left: Int
    /// Where the list ends too early or cannot be understood.
    private(set) var damage: Int?

    init(_ octets: UnsafeRawBufferPointer, in range: Range<Int>) {
        cursor = TNEFCursor(octets, in: range)
        left = cursor.uint32().map { Int($0) } ?? 0
        if range.count < 4 { damage = range.lowerBound }
    }

    /// The next property that has no name of its own and one value at least.
    mutating func next() -> TNEFProperty? {
        while left > 0, damage == nil {
            left -= 1
            let start = cursor.offset
            guard let type = cursor.uint16(), let id = cursor.uint16(),
                id < 0x8000 || skipName(), let value = values(of: type)
            else {
                damage = start
                return nil
            }
            if id < 0x8000, type & TNEFProperty.ValueType.multiple == 0, let first = value.first {
                return TNEFProperty(id: id, type: type, value: first)
            }
        }
        return nil
    }

    /// A GUID and a number, or a GUID and text.
    private mutating func skipName() -> Bool {
        guard cursor.range(16) != nil, let kind = cursor.uint32() else { return false }
        return kind == 0 ? cursor.uint32() != nil : cursor.counted() != nil
    }

    private struct Values {
        /// Where the first one is, if there is any.
        var first: Range<Int>?
    }

    /// Steps over the values; `nil` if they are damaged.
    private mutating func values(of type: UInt16) -> Values? {
        let isMultiple = type & TNEFProperty.ValueType.multiple != 0
        let size = Self.size(of: type & ~TNEFProperty.ValueType.multiple)
        guard let size else { return nil }
        guard isMultiple || size == 0 else {
            return cursor.padded(size).map(Values.init)
        }
        guard let count = cursor.uint32() else { return nil }
        var values = Values()
        // Each value takes four octets at least, so that a false count ends with the octets.
        for _ in 0..<count {
            guard let value = size == 0 ? cursor.counted() : cursor.padded(size) else { return nil }
            values.first = values.first ?? value
        }
        return values
    }

    /// Octets of a value; 0 where they are counted, `nil` for types that nobody knows.
    private static func size(of type: UInt16) -> Int? {
        switch type {
        case 0x0001, 0x0003, 0x0004, 0x000A: 4
        case 0x0002, 0x000B: 2
        case 0x0005, 0x0006, 0x0007, 0x0014, 0x0040: 8
        case 0x0048: 16
        case TNEFProperty.ValueType.string8, TNEFProperty.ValueType.unicode,
            TNEFProperty.ValueType.object, TNEFProperty.ValueType.binary:
            0
        default: nil
        }
    }
}
