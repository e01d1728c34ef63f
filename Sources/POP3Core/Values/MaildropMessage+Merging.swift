extension MaildropMessage {
    /// Joins what `LIST` and `UIDL` said, in the order of the numbers, whatever the servers' order was.
    ///
    /// A message that only one of them names is kept with what that says.
    public static func merge(
        sizes: [MaildropMessage], identities: [MaildropMessage]
    ) -> [MaildropMessage] {
        var byNumber: [Int: MaildropMessage] = [:]
        byNumber.reserveCapacity(max(sizes.count, identities.count))
        for message in sizes { byNumber[message.number] = message }
        for message in identities {
            byNumber[message.number, default: message].uniqueID = message.uniqueID
        }
        return byNumber.values.sorted { $0.number < $1.number }
    }
}
