import MartletBytes
import MartletIMAPCore
import MartletText

/// What must hold for any octets where the name of a mailbox is due.
package enum MailboxNameOracle {
    /// Traps where a name, or modified UTF-7, breaks a promise.
    package static func check(_ input: [UInt8]) {
        if let text = ModifiedUTF7.decode(input) {
            let again = ModifiedUTF7.encode(text)
            precondition(ModifiedUTF7.decode(again) == text, "what was decoded cannot be encoded")
        }
        for isUTF8 in [false, true] {
            let name = MailboxName(wire: input, isUTF8: isUTF8)
            let isInbox = input.equalsIgnoringCase("INBOX".utf8)
            if !isInbox, !isUTF8 {
                precondition(name.octets(isUTF8: false) == input, "a name changes on its way back")
            }
            precondition(
                MailboxName(wire: name.octets(isUTF8: false), isUTF8: false) == name,
                "a name is another when it comes back")
        }
        guard let text = String(validating: input, as: UTF8.self) else { return }
        let encoded = ModifiedUTF7.encode(text)
        precondition(ModifiedUTF7.decode(encoded).map { Array($0.utf8) } == input, "text is lost")
        precondition(
            encoded.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                || input.contains { $0 < 0x20 || $0 == 0x7F },
            "encoded text is not printable")
    }
}
