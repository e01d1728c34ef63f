import MartletBytes

/// What callers pass into commands, checked.
enum Arguments {
    /// Most octets of an argument, and of a line that is typed. RFC 2449 §4 has 255 for whole lines; names and passwords
    /// are longer at times.
    static let limitInOctets = 1_000

    /// A message's number. RFC 1939 §4.
    static func number(_ number: Int, _ command: String) throws(POP3Error) -> Int {
        guard number > 0 else {
            throw POP3Error(
                kind: .invalidInput("\(number) is no message: they are counted from 1"),
                command: command)
        }
        return number
    }

    /// Text that is not empty and stays in its line.
    static func text(
        _ text: String, _ what: String, _ command: String, allowsSpaces: Bool = true
    ) throws(POP3Error) -> String {
        let reason: String? =
            if text.isEmpty {
                "is empty"
            } else if text.utf8.count > limitInOctets {
                "is longer than \(limitInOctets) octets"
            } else if text.utf8.contains(where: \.isControl) {
                "holds a control character"
            } else if !allowsSpaces, text.utf8.contains(ASCII.space) {
                "holds a space"
            } else {
                nil
            }
        if let reason {
            throw POP3Error(
                kind: .invalidInput("\(what) \(POP3Error.quoted(text)) \(reason)"),
                command: command)
        }
        return text
    }

    /// A password that stays in its line.
    static func password(_ password: Secret, _ command: String) throws(POP3Error) -> Secret {
        let isRight = password.withOctets { octets in
            1...limitInOctets ~= octets.count
                && !octets.contains { $0.isLineBreak || $0 == ASCII.nul }
        }
        guard isRight else {
            throw POP3Error(
                kind: .invalidInput(
                    "the password is empty, longer than \(limitInOctets) octets, or holds a line end"
                ), command: command)
        }
        return password
    }
}
