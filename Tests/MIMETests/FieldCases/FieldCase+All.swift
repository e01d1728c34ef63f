import MartletMIME

extension FieldCase {
    static let words: [FieldCase] = [
        FieldCase(
            "ew-split-char", "a character that is split over two words is put together",
            .subject("pasižadėjimų")),
        FieldCase(
            "ew-pad-gb", "what follows a padded base64 word is not lost",
            .subject("需要北京会议附件谢谢")),
        FieldCase(
            "ew-text-then-words", "blanks between words go, those next to text stay",
            .subject("Buchung geändert Text")),
        FieldCase(
            "ew-raw-latin1", "octets that are no UTF-8 are windows-1252", .subject("Grüße"),
            defects: [.rawNonASCII]),
        FieldCase(
            "ew-quoted-then-word", "the blank between a quoted string and a word stays",
            .from(["Quoted Wörd <a@b.example>"])),
        FieldCase(
            "ew-after-comma", "a word may follow a comma without a blank",
            .to(["foo <foo@b.example>", "foo🐛bar <bar@b.example>"])),
        FieldCase(
            "ew-empty-glued", "words are empty and glued together", .subject("Ti"),
            defects: [.invalidEncodedWord, .invalidEncodedWord, .invalidEncodedWord]),
        FieldCase(
            "ew-space-inside", "blanks are in a word", .subject("Größe und Preis"),
            defects: [.invalidEncodedWord]),
        FieldCase("ew-lang-tag", "a word names its language", .subject("Keith Moore")),
        FieldCase("ew-lower-b-nopad", "the encoding is in lower case", .subject("äöü")),
        FieldCase("ew-bad-charset", "iso-8859-8-i is ISO 8859-8", .subject("שלום")),
    ]

    static let addresses: [FieldCase] = [
        FieldCase(
            "ad-lone-quote", "a quote alone is no address", .to([]), .messageID("m@b.example"),
            defects: [.invalidAddress, .unclosedQuote]),
        FieldCase(
            "ad-comment-group", "a comment is not the name of a group", .messageID("m@b.example")),
        FieldCase(
            "ad-no-close", "a bracket that is not closed ends with the field",
            .from(["r für At <info@b.example>"]), defects: [.unclosedBracket]),
        FieldCase(
            "ad-name-lt", "a bracket without anything is no address", .messageID("m@b.example"),
            defects: [.invalidAddress, .unclosedBracket]),
        FieldCase(
            "ad-space-angle", "blanks are in the brackets",
            .from(["DHL Worldwide <dhl@b.example>"])),
        FieldCase(
            "ad-addr-as-name", "an address without quotes is the name",
            .from(["a.b@c.example <a.b@c.example>"])),
        FieldCase(
            "ad-comma-name", "a comma without quotes is in the name",
            .from(["iZotope, Inc. <iz@b.example>"]), defects: [.invalidAddress]),
        FieldCase(
            "ad-one-bad", "an entry that is no address loses no other",
            .to(["good@b.example", "other@b.example"]), .invalid(["bad address here"]),
            defects: [.invalidAddress]),
        FieldCase("ad-route", "a route is no part of the address", .from(["X <a@b.example>"])),
        FieldCase("ad-group", "a group is empty", .to([]), .invalid([])),
        FieldCase(
            "ad-semicolons", "semicolons are between addresses",
            .to(["a@b.example", "c@d.example"]), defects: [.invalidAddress]),
        FieldCase(
            "mid-brackets", "brackets are in a message ID",
            .messageID("[b378dfc50603435b@microsoft.example]")),
    ]

    static let dates: [FieldCase] = [
        FieldCase(
            "dt-hour-30", "hour 30 is no date", .date(nil), .messageID("m@b.example"),
            defects: [.dateOutOfRange]),
        FieldCase("dt-8bit-zone", "the zone's comment is not UTF-8", .date(1_443_703_257)),
        FieldCase(
            "dt-no-zone", "without a zone it is UTC", .date(1_420_453_230), defects: [.missingZone]),
        FieldCase(
            "dt-dot-line", "a line with a dot is in the header", .date(1_420_453_230),
            .subject("s"), defects: [.junkHeaderLine]),
    ]

    static let parameters: [FieldCase] = [
        FieldCase(
            "pr-2231-split", "a character that is split over sections is put together",
            .leaves([.text("x"), .file("application/x", "☃.txt")])),
        FieldCase(
            "pr-2231-charset", "the first section's charset holds for all",
            .leaves([.text("x"), .file("application/x", "éè.txt")])),
        FieldCase(
            "pr-2231-literal-pct", "a percent sign in a plain section is one",
            .leaves([.text("x"), .file("application/x", "ä100%41.txt")])),
        FieldCase(
            "pr-2231-order", "sections come in any order",
            .leaves([.text("x"), .file("image/gif", "Book about ☕.gif")])),
        FieldCase(
            "pr-2047-name", "an encoded word is in quotes",
            .leaves([.text("x"), .file("application/x", "prüfbericht.pdf")])),
        FieldCase(
            "pr-empty-param", "a parameter is empty",
            .leaves([.text("x"), .file("application/pdf", "a.pdf")])),
        FieldCase("pr-trailing-semi", "a semicolon is at the end", .leaves([.text("hi\n")])),
        FieldCase(
            "pr-extra-slash", "a type has a slash too many",
            .leaves([.text("x"), .file("application/pdf", nil)]), defects: [.invalidContentType]),
        FieldCase(
            "pr-cd-empty", "a disposition is empty but for its parameter",
            .leaves([.text("x"), .file("image/png", "image001.png")]),
            defects: [.invalidDisposition]),
        FieldCase(
            "pr-cd-encoded", "an encoded word is the disposition",
            .leaves([.text("x"), .file("image/png", nil)]), defects: [.invalidDisposition]),
        FieldCase(
            "pr-fold-in-quotes", "a fold is in quotes",
            .leaves([.text("x"), .file("application/x", "Report 09-20.xls")])),
        FieldCase(
            "pr-unquoted-space", "a blank is in a value without quotes",
            .leaves([.text("x"), .file("application/x", "my file.pdf")])),
    ]

    static let boundaries: [FieldCase] = [
        FieldCase(
            "st-boundary-prefix", "the inner boundary begins with the outer one",
            .leaves([.text("x"), .html("y")])),
        FieldCase(
            "st-boundary-dashes", "the inner boundary is two dashes and the outer one",
            .leaves([.html("y")])),
        FieldCase(
            "st-no-end", "the last delimiter is missing", .leaves([.text("x"), .html("y\n")]),
            defects: [.missingClosingBoundary]),
        FieldCase("st-boundary-dash", "the boundary is a dash", .leaves([.text("x")])),
        FieldCase("st-boundary-space", "the boundary ends with a blank", .leaves([.text("x")])),
        FieldCase(
            "st-same-inner", "a multipart is in another", .leaves([.text("x"), .html("y")])),
        FieldCase(
            "st-inner-unclosed", "the inner boundary never comes", .leaves([.html("y")]),
            defects: [.missingOpeningBoundary]),
        FieldCase(
            "st-empty-part", "the first part is empty", .leaves([.text(""), .html("y")])),
    ]

    static let headers: [FieldCase] = [
        FieldCase(
            "st-rfc822-junk", "an attached message is none",
            .leaves([.text("x"), .text("this is not a message, sorry!")]),
            defects: [.missingHeaderEnd]),
        FieldCase(
            "st-crcrlf", "a line ends with CR CR LF", .subject("s"), .messageID("m@b.example")),
        FieldCase(
            "st-no-blank", "no empty line is behind a part's header",
            .leaves([.text("x"), .file("application/x", nil, "ABCDEF")]),
            defects: [.missingHeaderEnd]),
        FieldCase(
            "st-hdr-space-colon", "a blank is in front of the colon", .subject("s"),
            .from(["a@b.example"])),
        FieldCase(
            "st-junk-header", "a line in the header is no field", .subject("s"),
            defects: [.junkHeaderLine]),
    ]

    static let bodies: [FieldCase] = [
        FieldCase("te-qp-0d", "an encoded CR is before a line end", .leaves([.text("a\nb\n")])),
        FieldCase("te-qp-lower", "digits are in lower case", .leaves([.text("ä\n")])),
        FieldCase(
            "te-qp-trail-ws", "blanks are behind a soft line break, and at the end of a line",
            .leaves([.text("ab\nc\n")])),
        FieldCase("te-cte-semi", "a semicolon is behind the encoding", .leaves([.text("hi\n")])),
        FieldCase("te-cte-comment", "a comment is behind the encoding", .leaves([.text("hi\n")])),
        FieldCase(
            "te-b64-junk", "what is no base64 is passed over",
            .leaves([.file("application/x", nil, "ABCDEF")]), defects: [.invalidBase64]),
        FieldCase(
            "te-b64-two", "base64 is padded in the middle",
            .leaves([.file("application/x", nil, "AB")]), defects: [.invalidBase64]),
    ]

    static let charsets: [FieldCase] = [
        FieldCase("cs-8859-8-i", "iso-8859-8-i is ISO 8859-8", .leaves([.text("שלום\n")])),
        FieldCase(
            "cs-latin1-is-1252", "iso-8859-1 is windows-1252", .leaves([.text("€ “x”\n")])),
        FieldCase("cs-none-utf8", "text without a charset is UTF-8", .leaves([.text("naïve\n")])),
        FieldCase("cs-utf7", "text is in UTF-7", .leaves([.text("Hi Mom -☺-!\n")])),
    ]
}
