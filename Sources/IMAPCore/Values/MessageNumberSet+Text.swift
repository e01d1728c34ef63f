import MartletBytes

extension MessageNumberSet: CustomStringConvertible {
    /// As it goes over the wire, such as `2,4:7,12:*`; empty for nothing, which no command can carry.
    public var description: String {
        var octets: [UInt8] = []
        encode(into: &octets)
        return String(decoding: octets, as: UTF8.self)
    }

    /// Appends the set as it goes over the wire.
    package func encode(into octets: inout [UInt8]) {
        var isFirst = true
        for range in ranges {
            if !isFirst { octets.append(UInt8(ascii: ",")) }
            isFirst = false
            octets.append(decimal: range.lowerBound)
            if range.count > 1 {
                octets.append(UInt8(ascii: ":"))
                octets.append(decimal: range.upperBound)
            }
        }
        guard let openEnd else { return }
        if !isFirst { octets.append(UInt8(ascii: ",")) }
        if case .from(let first) = openEnd {
            octets.append(decimal: first.rawValue)
            octets.append(UInt8(ascii: ":"))
        }
        octets.append(UInt8(ascii: "*"))
    }

    /// Reads a set as it goes over the wire: ranges in any order, descending ones too.
    ///
    /// Returns `nil` where it is none: empty, a number of 0 or beyond 32 bits, anything else between.
    public init?(_ text: some StringProtocol) {
        self.init(octets: Array(text.utf8)[...])
    }

    /// Reads a set as it goes over the wire; see the other form.
    package init?(octets: ArraySlice<UInt8>) {
        var offset = octets.startIndex
        var isSorted = true
        var found: [ClosedRange<UInt32>] = []
        repeat {
            guard let first = Self.bound(octets, &offset) else { return nil }
            var second = first
            if offset < octets.endIndex, octets[offset] == UInt8(ascii: ":") {
                offset += 1
                guard let bound = Self.bound(octets, &offset) else { return nil }
                second = bound
            }
            switch (first, second) {
            case (0, 0): open(.last)
            case (0, let number), (let number, 0):
                open(.from(Number(number).unsafelyUnwrapped))
            default:
                let range = min(first, second)...max(first, second)
                if let last = found.last, last.upperBound >= range.lowerBound { isSorted = false }
                found.append(range)
            }
            guard offset < octets.endIndex else { break }
            guard octets[offset] == UInt8(ascii: ",") else { return nil }
            offset += 1
        } while true
        if !isSorted { found.sort { $0.lowerBound < $1.lowerBound } }
        ranges.reserveCapacity(found.count)
        for range in found { insert(range) }
    }

    private mutating func open(_ end: OpenEnd) {
        var other = Self()
        other.openEnd = end
        formUnion(other)
    }

    // 0 stands for `*`.
    private static func bound(_ octets: ArraySlice<UInt8>, _ offset: inout Int) -> UInt32? {
        guard offset < octets.endIndex else { return nil }
        if octets[offset] == UInt8(ascii: "*") {
            offset += 1
            return 0
        }
        var value: UInt32 = 0
        let start = offset
        while offset < octets.endIndex, octets[offset].isDigit {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(
                UInt32(octets[offset] - ASCII.zero))
            guard !overflow, !carry else { return nil }
            value = sum
            offset += 1
        }
        return offset > start && value > 0 ? value : nil
    }

    /// The set in pieces whose wire forms are at most `limit` octets long each: some servers take no longer lines.
    ///
    /// - Parameter limit: octets; a single range can be longer (up to 21) and is then a piece of its own.
    public func pieces(atMost limit: Int) -> [Self] {
        var pieces: [Self] = []
        var piece = Self()
        var size = 0
        for range in ranges {
            let length = Self.length(range) + 1
            if size > 0, size + length > limit + 1 {
                pieces.append(piece)
                piece = Self()
                size = 0
            }
            piece.ranges.append(range)
            size += length
        }
        if let openEnd {
            if size > 0, size + 13 > limit + 1 {
                pieces.append(piece)
                piece = Self()
            }
            piece.openEnd = openEnd
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }

    private static func length(_ range: ClosedRange<UInt32>) -> Int {
        let first = range.lowerBound.decimalDigits
        return range.count == 1 ? first : first + 1 + range.upperBound.decimalDigits
    }
}

extension UInt32 {
    var decimalDigits: Int {
        var rest = self
        var digits = 1
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        return digits
    }
}

extension [UInt8] {
    /// Appends a number in digits.
    package mutating func append(decimal number: some FixedWidthInteger & UnsignedInteger) {
        guard number >= 10 else { return append(ASCII.zero + UInt8(truncatingIfNeeded: number)) }
        let start = count
        var rest = number
        while rest > 0 {
            append(ASCII.zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }
}
