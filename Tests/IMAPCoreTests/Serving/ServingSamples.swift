import MartletBytes
import MartletMIME
import MartletTestSupport

@testable import MartletIMAPCore

/// A message of a mailbox that only tests have.
struct SampleMessage: MailboxMessage {
    var number: SequenceNumber
    var uid: UID
    var flags: [MessageFlag] = []
    var isRecent = false
    var internalDate = MailDate(secondsSinceEpoch: 1_796_000_000)
    var modSeq = ModSequence(1)!
    var saveDate: MailDate?
    var emailID: ObjectID?
    var threadID: ObjectID?
    var octets: [UInt8]
    var sizeInOctets: UInt64 { UInt64(octets.count) }
    /// Counts how often it was looked into.
    var looks = Looks()

    final class Looks: @unchecked Sendable {
        // Tests look from one task.
        var count = 0
    }

    var contents: ServedMessage {
        looks.count += 1
        return ServedMessage(octets)
    }

    /// - Parameter text: the message, its lines ending with LF.
    init(_ number: UInt32, _ text: String) {
        self.number = SequenceNumber(number)!
        uid = UID(number * 10)!
        octets = Samples.octets(text)
    }

    /// The mailbox with those messages.
    static func mailbox(_ texts: [String]) -> [SampleMessage] {
        texts.enumerated().map { SampleMessage(UInt32($0 + 1), $1) }
    }
}

enum Samples {
    /// The octets of a text whose lines end with LF.
    static func octets(_ text: String) -> [UInt8] {
        Array(text.replacing("\n", with: "\r\n").utf8)
    }

    /// What a server writes for an item, without what is around it: lines of literals are shown by `|`.
    static func wire(_ item: FetchItem) -> String {
        var encoder = ResponseEncoder()
        encoder.append(.fetch(FetchResponse(number: SequenceNumber(1), items: [item])))
        let text = String(decoding: encoder.octets, as: UTF8.self)
        return text.replacing("* 1 FETCH (", with: "").replacing(")\r\n", with: "\r\n")
            .replacing("\r\n", with: "|").split(separator: " ", maxSplits: 1).last
            .map { String($0.dropLast()) } ?? ""
    }

    /// What our own client reads of it.
    static func read(_ item: FetchItem) -> FetchItem? {
        var encoder = ResponseEncoder()
        encoder.append(.fetch(FetchResponse(number: SequenceNumber(1), items: [item])))
        var framer = ResponseFramer()
        framer.append(encoder.octets)
        guard case .response(let frame) = try? framer.next(),
            case .fetch(let fetch) = ResponseParser().parse(frame), fetch.items.count == 1
        else { return nil }
        return fetch.items[0]
    }

    /// A message with parts of all kinds.
    static let nested = """
        Subject: outer
        Content-Type: multipart/mixed; boundary=b
        MIME-Version: 1.0

        preamble
        --b
        Content-Type: text/plain; charset="utf-8"
        Content-Transfer-Encoding: quoted-printable

        caf=C3=A9
        second
        --b
        Content-Type: message/rfc822
        Content-Description: a message

        Subject: inner
        From: in@example.com

        inner body
        --b
        Content-Type: message/rfc822

        Subject: inner two
        Content-Type: multipart/alternative; boundary=c

        --c

        plain
        --c
        Content-Type: text/html

        <b>bold</b> word
        --c--
        --b
        Content-Type: image/png
        Content-Transfer-Encoding: base64
        Content-Disposition: attachment; filename="picture of us.png"

        iVBORw0KGgo=
        --b--
        epilogue

        """

    /// Messages as programs, and nobody in their right mind, write them.
    static let odd: [String] = [
        "From: a@example.com\nSubject: no body at all",
        "From: a@example.com\nSubject: blank line\n\n",
        "From: a@example.com\nSubject: no blank line\n",
        "",
        "\n",
        "\n\nbody\n",
        "body without a header\n",
        nested,
        """
        From: A B <a@example.com>, "Q \\"x\\", y" <@r1.test,@r2.test:"q p"@example.com>
        Sender: s@example.com
        Reply-To:
        To: G: c@example.com, D <d@example.org>;, undisclosed-recipients:;
        Cc: plainname, <broken, x@y@z, (comment) e@example.com (Name In Comment)
        Bcc: =?utf-8?Q?J=C3=B6rg?= <j@example.com>, "=?utf-8?Q?J=C3=B6rg?=" <k@example.com>
        Subject: folded
         subject
        \tagain\u{20}
        Date: Mon, 30 Nov 2026
         10:00:00 +0000
        Message-ID:
         <x@example.com>
        In-Reply-To: <a@b> <c@d>

        body
        last
        """,
        "Content-Type: multipart/mixed; boundary=none\n\nno parts\n",
        "Content-Type: multipart/mixed\n\nno boundary\n",
        "Content-Type: multipart/mixed; boundary=\n\nno boundary\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b--\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b\nA: b",
        """
        Content-Type: message/rfc822

        Subject: in
        Content-Type: message/rfc822

        Subject: in in

        b

        """,
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogaGkNCg0KeA0K\n",
        "Content-Type: multipart/mixed; boundary=e\nContent-Transfer-Encoding: base64\n\nLS1lDQoNCmhpDQotLWUtLQ0K\n",
        "Content-Type: text\n\nx\n",
        "Content-Type: foo bar\nContent-Disposition: ; filename=x\nContent-Transfer-Encoding: x-odd thing\n\nx\n",
        "junk line\nSubject: after junk\nFrom : spaced@example.com\n\nx\n",
        "Subject: \nFrom: <>\nTo: \"\"\nDate:\n\nx\n",
        "Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: dig\n\nb\n--d\nContent-Type: text/plain\n\nt\n--d--\n",
        "Subject: café raw\nFrom: Jörg <j@example.com>\n\nx\n",
        "Content-Type: text/html; charset=iso-8859-1; charset=utf-8; =x; foo; bar=\nContent-Disposition: INLINE\n\nx\n",
        "Content-Type: message/news\n\nSubject: news\n\nx\n",
        "Content-Type: message/external-body; access-type=URL\n\nContent-Type: image/gif\n\n",
        """
        Content-Type: multipart/mixed; boundary=b; x*0="a"; x*1*=utf-8''%41; name="q;\\"r" (comment)
        Content-Language: en, de
        Content-Location: http://x.test/
         y

        --b
        Content-Type: application/x-thing; name*=utf-8''%C3%A4.txt
        Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==
        Content-ID: <id@example.com>
        Content-Description: folded
         text
        Content-Language: en

        hello
        --b--

        """,
        "From: a.b.c@example.com, \"a.b\"@example.com, a b@example.com, <a@[192.0.2.1]>, a @ example . com, Team <>, x:y:z;, a;b@example.com\n\nx\n",
        "To: (unclosed \"quote <a@example.com\nCc: \"unclosed, <b@example.com>\nBcc: a@[unclosed, c@example.com\n\n",
    ]

    /// Containers in each other.
    static func deep(_ depth: Int, multipart: Bool) -> [UInt8] {
        var octets: [UInt8] = []
        for level in 0..<depth {
            let type =
                multipart ? "multipart/mixed; boundary=b\(level)" : "message/rfc822"
            octets += Samples.octets("Content-Type: \(type)\n\n")
            if multipart { octets += Samples.octets("--b\(level)\n") }
        }
        return octets + Samples.octets("Subject: core\n\ncore\n")
    }

    /// A message with random changes: cut, doubled and exchanged octets.
    static func damaged(_ message: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        var message = message
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            guard !message.isEmpty else { break }
            let index = Int.random(in: message.indices, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: message[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: message.removeSubrange(index...)
            case 2:
                let end = min(message.count, index + Int.random(in: 1...40, using: &generator))
                message.removeSubrange(index..<end)
            case 3:
                let end = min(message.count, index + Int.random(in: 1...80, using: &generator))
                message.insert(contentsOf: message[index..<end], at: index)
            default:
                let signs = Array("\r\n\0\"\\()<>@,:;=?*'{}%-".utf8)
                message[index] = signs.randomElement(using: &generator)!
            }
        }
        return message
    }
}
