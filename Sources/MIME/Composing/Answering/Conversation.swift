import MartletBytes

extension OutgoingMessage {
    /// How many message IDs `References` of an answer has at most. Of longer conversations the first stays,
    /// which names the conversation, and the last.
    public static let referenceLimit = 32

    /// Makes the message an answer to `parent`. RFC 5322 §3.6.4.
    ///
    /// What cannot be written as a message ID, such as one with blanks, is left out.
    mutating func answer(_ parent: Part) {
        let name = parent.messageID?.messageID
        inReplyTo = name.map { [$0] } ?? []
        var past = parent.references.compactMap(\.messageID)
        if past.isEmpty {
            // Without References, a single In-Reply-To tells the same.
            let answered = parent.inReplyTo.compactMap(\.messageID)
            if answered.count == 1 { past = answered }
        }
        var seen: Set<MessageID> = []
        past = (past.filter { $0 != name } + inReplyTo).filter { seen.insert($0).inserted }
        let excess = past.count - Self.referenceLimit
        if excess > 0 { past.removeSubrange(1...excess) }
        references = past
    }
}
