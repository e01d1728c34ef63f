import MartletMIME

/// Prints what was read in a message, as a line of JSON:
/// `{file, subject, from:[[name,address]], to, cc, date, message_id, leaves:[[type,file name,size]]}`.
func printDump(of path: String, _ octets: [UInt8]) {
    let message = Message(parsing: octets)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let root = message.root
    let fields = [
        ("file", quoted(name)),
        ("subject", quoted(root.subject)),
        ("from", addresses(root.from)),
        ("to", addresses(root.to)),
        ("cc", addresses(root.cc)),
        ("date", root.date.map { String($0.secondsSinceEpoch) } ?? "null"),
        ("message_id", quoted(root.messageID?.text)),
        ("leaves", leaves(of: message)),
    ]
    print("{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
}

private func addresses(_ list: AddressList) -> String {
    let pairs = list.mailboxes.map { "[\(quoted($0.displayName)),\(quoted(shown($0)))]" }
    return "[" + pairs.joined(separator: ",") + "]"
}

/// The address as it is written in mail: dots at odd places need quotes by the grammar, and seldom have them.
private func shown(_ mailbox: MailboxAddress) -> String {
    let words = mailbox.localPart.split(separator: ".")
    let isPlain = words.allSatisfy {
        (try? MailboxAddress(localPart: String($0), domain: "x"))?.addrSpec == "\($0)@x"
    }
    return isPlain ? mailbox.localPart + "@" + mailbox.domain : mailbox.addrSpec
}

private func leaves(of message: Message) -> String {
    let leaves = message.parts.filter { $0.kind == .leaf || $0.isTextWithoutParts }.map { part in
        let type = part.isTextWithoutParts ? .textPlain : part.contentType
        let size =
            type.type == "text"
            ? sizeWithLFs(part.text().value) : part.decodedBody().value.count
        return "[\(quoted(type.description)),\(quoted(part.fileName)),\(size)]"
    }
    return "[" + leaves.joined(separator: ",") + "]"
}

/// The size of a text as UTF-8 once CRLF is LF.
private func sizeWithLFs(_ text: String) -> Int {
    var size = 0
    var previous: UInt8 = 0
    for octet in text.utf8 {
        size += octet == 10 && previous == 13 ? 0 : 1
        previous = octet
    }
    return size
}

private func quoted(_ text: String?) -> String {
    guard let text else { return "null" }
    var result: [UInt8] = [UInt8(ascii: "\"")]
    let digits = Array("0123456789abcdef".utf8)
    for octet in text.utf8 {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), octet]
        case 0..<32:
            result += Array("\\u00".utf8) + [digits[Int(octet >> 4)], digits[Int(octet & 15)]]
        default: result.append(octet)
        }
    }
    return String(decoding: result + [UInt8(ascii: "\"")], as: UTF8.self)
}
