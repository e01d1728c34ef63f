/// Numbers of parts, as IMAP counts them. RFC 9051 §6.4.5.1.
extension Part {
    /// The number of the part in its message, such as `2.1`.
    ///
    /// The parts of a multipart are counted from 1. The body of a message that is no multipart is 1; one that is a
    /// multipart has no number of its own and is called `TEXT`. In a message that is part 2 they are `2.1` and `2.TEXT`.
    public var section: String {
        var names = kind == .multipart && isBodyOfMessage ? ["TEXT"] : []
        var part: Part? = self
        while let current = part {
            if !current.isBodyOfMessage {
                names.append(String(current.record.place))
            } else if current.kind != .multipart {
                names.append("1")
            }
            part = current.parent
        }
        return names.reversed().joined(separator: ".")
    }

    /// Whether this is all of a message: the root, or what is in a `message/rfc822`.
    var isBodyOfMessage: Bool { parent.map { $0.kind == .message } ?? true }

    /// The part with that number in this part; `nil` if there is none.
    fileprivate func part(numbered number: Int32) -> Part? {
        switch kind {
        case .multipart: children.first { $0.record.place == number }
        case .message: embeddedMessage?.body(numbered: number)
        case .leaf: nil
        }
    }

    /// The part with that number in a message of which this is the body.
    fileprivate func body(numbered number: Int32) -> Part? {
        if kind == .multipart { return part(numbered: number) }
        return number == 1 ? self : nil
    }
}

extension Message {
    /// The part with that number, such as `2.1`; see `Part.section`. `nil` if there is none.
    public func part(_ section: String) -> Part? {
        var names = section.split(separator: ".", omittingEmptySubsequences: false)
        let isText = names.last?.uppercased() == "TEXT"
        if isText { names.removeLast() }
        var part: Part?
        for name in names {
            guard name.utf8.allSatisfy(\.isDigit), let number = Int32(name) else { return nil }
            guard let next = part.map({ $0.part(numbered: number) }) ?? root.body(numbered: number)
            else { return nil }
            part = next
        }
        guard isText else { return part }
        let body = part.map(\.embeddedMessage) ?? root
        return body.flatMap { $0.kind == .multipart ? $0 : nil }
    }
}
