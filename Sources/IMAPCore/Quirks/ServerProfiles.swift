extension ServerProfile {
    /// All that are known. The first that fits is taken: hosts and capabilities that one provider has stand before
    /// software that many use.
    public static let all: [ServerProfile] = [
        ServerProfile(
            "Gmail", [.capability(.gmail), .host("imap.gmail.com"), .host(".googlemail.com")],
            [
                .commandLimit(16_000), .connectionLimit(15), .idleRenewal(seconds: 9 * 60),
                .forgiven(
                    "a multipart without children or subtype first in BODYSTRUCTURE; MODSEQ and HIGHESTMODSEQ of 0"
                ),
                .forgiven("[THROTTLED] and [WEBALERT] in refusals"),
            ]),
        ServerProfile(
            "Outlook.com",
            [
                .host("outlook.office365.com"), .host("imap-mail.outlook.com"),
                .host(".outlook.com"),
            ],
            [
                .commandLimit(8_000), .connectionLimit(20),
                .forgiven("\"authenticated but not connected\" after a right password"),
                .forgiven(
                    "Suggested Backoff Time in the words of a refusal; OK to FETCH without a row"),
            ]),
        ServerProfile(
            "Exchange", [.greeting("microsoft exchange")],
            [
                .commandLimit(8_000),
                .forgiven(
                    "codes without brackets; BAD to NAMESPACE; `.MISSING-HOST-NAME.` in ENVELOPE"),
                .forgiven("OK to FETCH without a row: asked once more, then told as missing"),
            ]),
        ServerProfile(
            "iCloud", [.capability(Capability("XAPPLEPUSHSERVICE")), .host("imap.mail.me.com")],
            [
                .distrust(.qResync, why: "it sends VANISHED for messages that are still there"),
                .commandLimit(8_000), .connectionLimit(10),
            ]),
        ServerProfile(
            "Yahoo",
            [
                .capability(Capability("XYMHIGHESTMODSEQ")), .host("imap.mail.yahoo.com"),
                .host(".aol.com"),
            ],
            [
                .commandLimit(1_000), .connectionLimit(5),
                .forgiven("messages left out of an answer to a range: asked for once more"),
            ]),
        ServerProfile(
            "QQ",
            [
                .host("imap.qq.com"), .host("imap.exmail.qq.com"),
                .capability(Capability("XLIST-QQ")),
            ],
            [
                .commandLimit(8_000), .connectionLimit(5),
                .forgiven("empty multiparts in BODYSTRUCTURE; raw GB18030 in header fields"),
                .forgiven("NO or BAD to a range beyond the last message"),
            ]),
        ServerProfile(
            "Coremail",
            [
                .greeting("coremail"), .host("imap.163.com"), .host("imap.126.com"),
                .host("imap.yeah.net"),
                .host(".qiye.163.com"), .identity("coremail"),
            ],
            [
                .identifyFirst, .commandLimit(8_000), .connectionLimit(5),
                .idleRenewal(seconds: 5 * 60),
                .forgiven(
                    "four quote signs for an empty description; a BODYSTRUCTURE that cannot be read costs one message"
                ),
            ]),
        ServerProfile(
            "Yandex", [.greeting("yandex"), .host("imap.yandex.ru"), .host("imap.yandex.com")],
            [
                .commandLimit(8_000), .connectionLimit(10), .idleRenewal(seconds: 9 * 60),
                .forgiven("literals that are shorter than announced; close right after BYE"),
                .forgiven("names of mailboxes in a modified UTF-7 of its own"),
            ]),
        ServerProfile(
            "mail.ru", [.host("imap.mail.ru"), .greeting("mail.ru")],
            [.commandLimit(8_000), .connectionLimit(10), .forgiven("RFC822.SIZE with an exponent")]),
        ServerProfile(
            "Zoho", [.greeting("zoho"), .host("imap.zoho.com"), .host("imap.zoho.eu")],
            [.commandLimit(8_000), .connectionLimit(10), .forgiven("MODSEQ of -1")]),
        ServerProfile(
            "Domino", [.greeting("domino"), .identity("domino")],
            [
                .commandLimit(8_000),
                .forgiven("FETCH with two parentheses; INTERNALDATE of month and year 0"),
            ]),
        ServerProfile(
            "GMX",
            [.host("imap.gmx.net"), .host("imap.gmx.com"), .host("imap.web.de"), .greeting("gmx")],
            [.commandLimit(8_000), .connectionLimit(10)]),
        ServerProfile(
            "Proton Bridge", [.identity("proton"), .greeting("protonmail"), .greeting("gluon")],
            [
                .forgiven("`+` and nothing behind it; UIDs that change for no reason"),
                .distrust(.qResync, why: "its UIDVALIDITY changes without reason"),
            ]),
        ServerProfile(
            "DavMail", [.greeting("davmail")],
            [.synchronizingLiterals, .forgiven("answers to UID FETCH without UID")]),
        ServerProfile(
            "Courier", [.greeting("courier-imap"), .identity("courier")],
            [
                .commandLimit(16_000),
                .forgiven("all mailboxes are inside of INBOX; `* 0 FETCH`"),
            ]),
        ServerProfile(
            "Cyrus", [.greeting("cyrus imap"), .identity("cyrus")],
            [
                .commandLimit(32_000), .mailboxIDApart,
                .forgiven(
                    "FETCH for a number before its EXISTS; octets of no meaning for MAILBOXID in LIST"
                ),
            ]),
        ServerProfile(
            "Dovecot", [.identity("dovecot"), .greeting("dovecot")], [.commandLimit(64_000)]),
    ]

    /// The longest command line that every server takes, in octets. RFC 7162 §4 has 8192 as the least.
    public static let commandLimit = 8_000
}
