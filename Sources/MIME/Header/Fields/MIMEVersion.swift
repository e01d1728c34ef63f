import MartletBytes

/// The value of a `MIME-Version` field. RFC 2045 §4.
public struct MIMEVersion: Hashable, Sendable {
    /// The number before the dot.
    public var major: Int
    /// The number behind the dot.
    public var minor: Int

    /// 1.0, the only one there is.
    public static let oneZero = MIMEVersion(major: 1, minor: 0)

    /// Makes a version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads a value as it stands in the message: two numbers, with comments anywhere.
    ///
    /// `nil`, with the defect `invalidValue`, if it is none. Messages are read as MIME in any case.
    public static func parse(_ value: ArraySlice<UInt8>) -> Parsed<MIMEVersion?> {
        let octets = value.span
        var cursor = ParameterCursor(index: 0, end: octets.count)
        cursor.skipBlanks(in: octets)
        let start = cursor.index
        let major = cursor.number(in: octets)
        cursor.skipBlanks(in: octets)
        let hasDot = cursor.skip(ASCII.dot, in: octets)
        cursor.skipBlanks(in: octets)
        let minor = cursor.number(in: octets)
        cursor.skipBlanks(in: octets)
        guard let major, hasDot, let minor else {
            return Parsed(nil, defects: [Defect(.invalidValue, at: start)])
        }
        return Parsed(
            MIMEVersion(major: major, minor: minor),
            defects: cursor.index < cursor.end ? [Defect(.invalidValue, at: cursor.index)] : [])
    }
}

extension MIMEVersion: CustomStringConvertible {
    /// `major.minor`.
    public var description: String { "\(major).\(minor)" }
}

extension ParameterCursor {
    /// Reads up to nine digits.
    fileprivate mutating func number(in octets: Span<UInt8>) -> Int? {
        let start = index
        var number = 0
        while index < end, index < start + 9, octets[index].isDigit {
            number = number * 10 + Int(octets[index] - ASCII.zero)
            index += 1
        }
        return index > start ? number : nil
    }
}
