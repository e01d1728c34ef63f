import MartletMIME

/// Puts messages in order. RFC 5256 §2 and §3, RFC 5957.
///
///     let order = MessageOrder([.reverse(.date), SortCriterion(.subject)])
///     order.sorted(found)
///
/// Messages that are alike in all criteria stay in the order of their numbers, also where an order is reversed.
package struct MessageOrder: Sendable {
    private let criteria: [SortCriterion]

    /// An order by the first criterion, then by the next.
    package init(_ criteria: [SortCriterion]) { self.criteria = criteria }

    /// What a message is compared by in one criterion.
    private enum Value {
        case number(Int64)
        case text(FoldedText)
    }

    /// The messages in that order.
    package func sorted<Message: MailboxMessage>(_ messages: [Message]) -> [Message] {
        // A list of values for each criterion: those of the first alone decide most.
        var lists = [[Value]](repeating: [], count: criteria.count)
        for index in lists.indices { lists[index].reserveCapacity(messages.count) }
        for message in messages {
            var contents: ServedMessage?
            for (index, criterion) in criteria.enumerated() {
                lists[index].append(value(of: message, in: criterion.field, &contents))
            }
        }
        let numbers = messages.map(\.number)
        let order = messages.indices.sorted { left, right in
            for (criterion, list) in zip(criteria, lists) {
                let isReversed = criterion.isReversed
                switch (list[isReversed ? right : left], list[isReversed ? left : right]) {
                case (.number(let left), .number(let right)) where left != right:
                    return left < right
                case (.text(let left), .text(let right)) where left != right: return left < right
                default: continue
                }
            }
            return numbers[left] < numbers[right]
        }
        return order.map { messages[$0] }
    }

    private func value(
        of message: some MailboxMessage, in field: SortCriterion.Field,
        _ contents: inout ServedMessage?
    ) -> Value {
        switch field {
        case .arrival: return .number(message.internalDate.secondsSinceEpoch)
        case .size: return .number(Int64(clamping: message.sizeInOctets))
        // All that were found fit alike.
        case .relevancy: return .number(0)
        default: break
        }
        var known = contents ?? message.contents
        let header = known.header()
        contents = known
        switch field {
        case .date:
            return .number(header.date(arrived: message.internalDate))
        case .subject: return .text(FoldedText(BaseSubject(header.subject ?? "").text))
        case .from: return .text(header.firstMailbox("From"))
        case .to: return .text(header.firstMailbox("To"))
        case .cc: return .text(header.firstMailbox("Cc"))
        case .displayFrom: return .text(header.firstShownName("From"))
        case .displayTo: return .text(header.firstShownName("To"))
        default: return .number(0)
        }
    }
}

extension Part {
    /// When the message was sent, in seconds since 1970; when it arrived where it does not say. RFC 5256 §2.2.
    func date(arrived: MailDate) -> Int64 {
        (date ?? arrived).secondsSinceEpoch
    }

    /// What is before the `@` of the first address, or the name of a group that is first. RFC 5256 §3.
    fileprivate func firstMailbox(_ name: String) -> FoldedText {
        FoldedText(firstAddress(name)?.mailbox.map { $0[...].decodedText } ?? "")
    }

    /// The name beside the first address, or the address where there is none. RFC 5957 §3.
    fileprivate func firstShownName(_ name: String) -> FoldedText {
        guard let address = firstAddress(name) else { return FoldedText() }
        if let name = address.displayName { return FoldedText(name) }
        let mailbox = address.mailbox.map { $0[...].decodedText } ?? ""
        guard let host = address.host, !address.hasPlaceholderHost else {
            return FoldedText(mailbox)
        }
        return FoldedText(mailbox + "@" + host[...].decodedText)
    }

    private func firstAddress(_ name: String) -> EnvelopeAddress? {
        for field in header.fields(name) {
            let first = field.withValue { value in
                var reader = EnvelopeAddressReader(value, countLimit: 1)
                reader.read()
                return reader.addresses.first
            }
            if let first { return first }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate var decodedText: String { HeaderText.decode(self).value }
}
