import MartletBytes

/// Text that is one line and no more.
struct LineText: Sendable {
    /// Most octets of a command line with its CRLF that a client writes. RFC 5321 §4.5.3.1.4 asks for 512;
    /// extensions make lines longer.
    static let limitInOctets = 2_048

    let text: String

    init(_ text: String, stage: SMTPStage, allowsNonASCII: Bool = false) throws(SMTPError) {
        let octets = text.utf8
        let reason: String? =
            if octets.isEmpty {
                "is empty"
            } else if octets.count > Self.limitInOctets - 2 {
                "is longer than \(Self.limitInOctets - 2) octets"
            } else if octets.contains(where: \.isControl) {
                "holds a control character"
            } else if !allowsNonASCII, octets.contains(where: { $0 >= 0x80 }) {
                "is not ASCII"
            } else {
                nil
            }
        if let reason {
            throw SMTPError(
                kind: .invalidInput("the line \(SMTPError.quoted(text)) \(reason)"), stage: stage)
        }
        self.text = text
    }
}
