import Testing

@testable import MartletIMAPCore

@Suite("Special use")
struct SpecialUseTests {

    private static func uses(_ lines: String...) -> [String: String] {
        var mailboxes = Wire.responses(lines.map { "* LIST " + $0 }, isUTF8: true).compactMap {
            if case .list(let entry) = $0 { ListedMailbox(entry: entry) } else { nil }
        }
        mailboxes.guessSpecialUses()
        let pairs = mailboxes.compactMap { mailbox in
            mailbox.specialUse.map { (mailbox.entry.name.text, $0.rawValue) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test("is what the server says, in the words of XLIST, too")
    func told() {
        #expect(
            Self.uses(
                #"(\Sent) "/" x"#, #"(\HasNoChildren \Spam) "/" y"#, #"(\AllMail) "/" z"#,
                #"(\Starred) "/" s"#)
                == ["x": "\\Sent", "y": "\\Junk", "z": "\\All", "s": "\\Flagged"])
    }

    @Test("is guessed from names of many languages where the server says nothing")
    func guessed() {
        #expect(
            Self.uses(
                #"() "/" INBOX"#, #"() "/" "Gesendete Objekte""#, #"() "/" "ENTWÜRFE""#,
                #"() "/" "Корзина""#, #"() "/" "迷惑メール""#, #"() "/" "Archives""#,
                #"() "/" "Urlaub""#)
                == [
                    "Gesendete Objekte": "\\Sent", "ENTWÜRFE": "\\Drafts", "Корзина": "\\Trash",
                    "迷惑メール": "\\Junk", "Archives": "\\Archive",
                ])
        // Composed and decomposed letters are the same.
        #expect(Self.uses("() \"/\" \"e\u{301}le\u{301}ments envoye\u{301}s\"").count == 1)
    }

    @Test("is never guessed where the server says it of any mailbox")
    func serverWins() {
        #expect(Self.uses(#"(\Drafts) "/" "x""#, #"() "/" Sent"#) == ["x": "\\Drafts"])
    }

    @Test("is that of the uppermost mailbox of a name; INBOX above it does not count")
    func uppermost() {
        #expect(
            Self.uses(#"() "." a.Trash"#, #"() "." INBOX.Trash"#, #"() "." b.c.Trash"#)
                == ["INBOX.Trash": "\\Trash"])
        #expect(Self.uses(#"(\Noselect) "/" Sent"#, #"() "/" a/Sent"#) == ["a/Sent": "\\Sent"])
    }

    @Test("has each name once")
    func table() {
        let names = SpecialUseNames.table.flatMap(\.names)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0 == $0.lowercased() })
    }
}
