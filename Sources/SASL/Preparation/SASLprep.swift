import MartletBytes

/// SASLprep: the form in which names and passwords are compared, whatever keyboard typed them. RFC 4013.
///
/// Code points that Unicode 3.2 does not have, such as emoji, stay as they are, as a query may have them
/// (RFC 3454 §7). ASCII is left alone.
public enum SASLprep {
    /// Why a text has no such form.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// It holds a code point that is not allowed, such as a control character. RFC 4013 §2.3.
        case prohibited(UInt32)
        /// It mixes directions of writing. RFC 3454 §6.
        case mixedDirections
        /// Nothing is left of it.
        case empty

        /// Half a sentence for a person.
        public var description: String {
            switch self {
            case .prohibited(let scalar):
                "it holds U+" + String(scalar, radix: 16, uppercase: true)
                    + ", which SASLprep does not allow"
            case .mixedDirections: "it mixes directions of writing"
            case .empty: "nothing is left of it by SASLprep"
            }
        }
    }

    private static let nothing = ScalarRanges(StringprepTables.nothing)
    private static let spaces = ScalarRanges(StringprepTables.spaces)
    private static let prohibited = ScalarRanges(StringprepTables.prohibited)
    private static let rightToLeft = ScalarRanges(StringprepTables.rightToLeft)
    private static let leftToRight = ScalarRanges(StringprepTables.leftToRight)

    /// `text`, prepared.
    public static func prepare(_ text: String) throws(Failure) -> String {
        if isPlain(text.utf8) { return text }
        var prepared = String.UnicodeScalarView()
        for value in try prepare(text.unicodeScalars.map(\.value)) {
            if let scalar = Unicode.Scalar(value) { prepared.append(scalar) }
        }
        return String(prepared)
    }

    /// `secret`, prepared. What is no UTF-8 stays as it is.
    public static func prepare(_ secret: Secret) throws(Failure) -> Secret {
        if secret.withOctets({ isPlain($0) }) { return secret }
        guard var text = secret.withOctets({ String(validating: $0, as: UTF8.self) }) else {
            return secret
        }
        text = try prepare(text)
        return Secret(text)
    }

    /// Visible ASCII and spaces: most of what there is.
    private static func isPlain(_ octets: some Collection<UInt8>) -> Bool {
        !octets.isEmpty && octets.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static func prepare(_ text: [UInt32]) throws(Failure) -> [UInt32] {
        let mapped = text.compactMap { scalar in
            spaces.contains(scalar) ? UInt32(ASCII.space) : nothing.contains(scalar) ? nil : scalar
        }
        let normal = CompatibilityForm.unicode32.normalize(mapped)
        if let wrong = normal.first(where: prohibited.contains) { throw .prohibited(wrong) }
        guard let first = normal.first, let last = normal.last else { throw .empty }
        if normal.contains(where: rightToLeft.contains) {
            guard rightToLeft.contains(first), rightToLeft.contains(last),
                !normal.contains(where: leftToRight.contains)
            else { throw .mixedDirections }
        }
        return normal
    }
}
