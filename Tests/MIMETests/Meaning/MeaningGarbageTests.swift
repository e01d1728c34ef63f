import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Meanings of anything")
struct MeaningGarbageTests {
    @Test("are found without a trap")
    func garbage() {
        let pieces = [
            "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", "--b--\n",
            "Content-Type: text/html\n\n", "Content-Type: message/rfc822\n\n",
            "Content-Type: application/ms-tnef\n\n\u{78}",
            "Content-Type: message/delivery-status\n\n", "Final-Recipient: rfc822;a@b\n",
            "Action: failed\n",
            "Content-Type: message/partial; id=a; number=1; total=1\n\n",
            "Content-Type: message/external-body; access-type=url\n\n",
            "Content-Disposition: attachment; filename=\"../\u{202E}a\"\n", "Content-ID: <a@b>\n",
            "Content-Location: ../a\n", "Content-Transfer-Encoding: base64\n",
            "Subject: Re: [x] y (fwd)\n", "Return-Path: <>\n", "From: mailer-daemon@x\n",
            "X-Failed-Recipients: a@b\n", "begin 644 a\n", "#0V%T\n", "end\n", "\n",
            "<p>&#x41;<!--",
            "> q\n", "-- \n", "BEGIN:VEVENT\n", "Content-Type: text/calendar\n\n", "\u{0}", "é",
            "AAAA\n", "Content-Type: multipart/alternative; boundary=b\n\n",
            "Content-Type: multipart/related; boundary=c\n\n", "--c\n",
        ]
        for seed in 0..<1_500 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let text = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                pieces.randomElement(using: &random)!
            }.joined()
            let message = Message(parsing: Array(text.utf8))
            _ = (
                message.readableText, message.readableHTML, message.previewText(), message.bounce,
                message.automaticKind
            )
            _ = (
                message.deliveryStatus, message.dispositionNotification, message.feedbackReport,
                message.calendarParts.count
            )
            let files = message.attachedFiles
            #expect(
                Set(files.map { $0.safeName.lowercased() }).count == files.count, "seed \(seed)")
            for file in files { #expect(file.octets.count == file.sizeInOctets, "seed \(seed)") }
            let references = ContentReferences(in: message.root)
            for part in message.parts {
                _ = (
                    references.part("cid:a@b", from: part), references.part("../a", from: part),
                    part.externalBody?.url
                )
                if let fragment = part.fragment { _ = MessageFragment.reassemble([fragment]) }
            }
        }
    }
}
