import MartletBytes

extension HeaderWriter {
    /// Words of a display name longer than this make it encoded words, so that it can be folded.
    private static let nameWordLimit = 200
    /// So do more spaces without a word between them than this.
    private static let nameSpaceLimit = 20

    /// Writes a field of mailboxes, their domains as they shall stand. RFC 5322 §3.4, §3.6.2, §3.6.3.
    mutating func field(_ name: String, mailboxes: [MailboxAddress]) throws(CompositionError) {
        begin(name)
        for (index, mailbox) in mailboxes.enumerated() {
            var address = Array(mailbox.addrSpec.utf8)
            if let displayName = mailbox.displayName {
                phrase(displayName)
                address = [ASCII.less] + address + [ASCII.greater]
            }
            if index < mailboxes.count - 1 { address.append(UInt8(ascii: ",")) }
            word(address)
        }
        try end()
    }

    /// Writes a display name: atoms, a quoted string, or encoded words. RFC 5322 §3.2.5, RFC 2047 §5.
    private mutating func phrase(_ name: String) {
        let octets = Array(name.utf8)
        let words = octets.split(separator: ASCII.space, omittingEmptySubsequences: false)
        let isPlain =
            octets.allSatisfy { $0 >= ASCII.space && $0 < ASCII.del }
            && !words.contains { $0.count > Self.nameWordLimit }
            && words.count { $0.isEmpty } <= Self.nameSpaceLimit
            && !zip(octets, octets.dropFirst()).contains {
                $0 == ASCII.equals && $1 == UInt8(ascii: "?")
            }
        guard isPlain else {
            encodedWords(octets[...])
            return
        }
        let text = isPhraseOfAtoms(name) ? name : quotedString(name)
        // A quoted string may be folded at its spaces too. A run of them goes with the next word.
        var blank: [UInt8] = [ASCII.space]
        for piece in text.utf8.split(separator: ASCII.space, omittingEmptySubsequences: false) {
            if piece.isEmpty {
                blank.append(ASCII.space)
            } else {
                word(piece, after: blank)
                blank = [ASCII.space]
            }
        }
    }
}
