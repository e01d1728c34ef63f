import MartletMIME

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `mime-bench build [MESSAGES [RUNS]]`: composes typical messages, each with a text, HTML, a file of 30 KB, and a
/// subject and names that are not ASCII.
func runBuilding(_ words: ArraySlice<String>) throws {
    let numbers = words.map { Int($0) ?? 0 }
    guard numbers.count <= 2, numbers.allSatisfy({ $0 > 0 }) else {
        throw Options.Mistake(description: "build takes a number of messages and of runs.")
    }
    let messageCount = numbers.first ?? 10_000
    let content = try TypicalContent()
    for _ in 0..<(numbers.count > 1 ? numbers[1] : 5) {
        var octetCount = 0
        let start = seconds()
        for index in 0..<messageCount {
            let octets = try content.message(index).rendered().octetsInMemory ?? []
            octetCount += octets.count
        }
        let wall = seconds() - start
        print(
            """
            {"peer":"martlet","mode":"build","wall_s":\(Double(Int(wall * 10_000)) / 10_000),\
            "msgps":\(Int(Double(messageCount) / wall)),"MBps":\(Int(Double(octetCount) / 1e6 / wall)),\
            "messages":\(messageCount),"octets":\(octetCount)}
            """)
        fflush(nil)
    }
}

/// What the messages are made of.
private struct TypicalContent {
    private let text: String
    private let html: String
    private let file: [UInt8]

    init() throws {
        let line = "Die Lieferung für München kommt am Dienstag, der Rest größtenteils später.\n"
        text = String(repeating: line, count: 20) + "-- \nJürgen Müller\n"
        html =
            "<html><body>"
            + String(
                repeating: "<p>Die Lieferung f\u{FC}r München kommt am <b>Dienstag</b>.</p>\n",
                count: 40)
            + "</body></html>\n"
        var state: UInt32 = 1
        file = (0..<30_000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    func message(_ index: Int) throws -> OutgoingMessage {
        var message = OutgoingMessage(
            from: try MailboxAddress(
                displayName: "Jürgen Müller", localPart: "juergen", domain: "example.org"),
            to: [
                try MailboxAddress(
                    displayName: "Zoë Ångström", localPart: "zoe", domain: "example.com"),
                try MailboxAddress(
                    displayName: "Bob Miller", localPart: "bob\(index)", domain: "example.com"),
            ],
            subject: "Größere Lieferung für München, Nummer \(index): 東京からの荷物",
            text: text, html: html,
            attachments: [Attachment(name: "Übersicht \(index).pdf", content: OctetArray(file))])
        message.date = MailDate(
            secondsSinceEpoch: 1_796_008_975 + Int64(index), offsetInMinutes: 60)
        message.messageID = try MessageID("\(index).benchmark@example.org")
        return message
    }
}
