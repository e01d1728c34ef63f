import MartletIMAP
import MartletTestSupport
import Testing

extension IMAPClaim {
    static let messages: [IMAPClaim] = [
        IMAPClaim("keeps a message octet for octet, with flags and date") { place in
            let message = Place.message(
                "octets",
                body: "a\u{FC}\r\n.\r\n..\r\n{5}\r\n) OK\r\n"
                    + String(repeating: "x", count: 70_000) + "\r\n")
            let date = try #require(
                MailDate.parse(Array("Tue, 3 Feb 2026 04:05:06 +0100".utf8)).value)
            let result = try await place.client.append(
                OctetArray(message), to: place.mailbox, flags: [.seen, .flagged], date: date)
            try await place.client.select(place.mailbox)
            let row = try #require(
                try await place.client.fetch(
                    UIDSet.all, [.uid, .flags, .internalDate, .size, .message]
                ).rows.first)
            #expect(row.data(of: .message)?.octets.map(Array.init) == message)
            #expect(row.sizeInOctets == UInt64(message.count))
            #expect(Set(row.flags ?? []).isSuperset(of: [.seen, .flagged]))
            #expect(row.internalDate?.secondsSinceEpoch == date.secondsSinceEpoch)
            if await place.offers(.uidPlus) { #expect(result.uids == [row.uid]) }
        },
        IMAPClaim("gives envelopes and structures that can be read") { place in
            let message = """
                From: =?UTF-8?Q?J=C3=BCrgen?= <j@example.test>\r
                To: A Group: a@example.test, "b, c" <b@example.test>;\r
                Subject: =?UTF-8?B?w4QgbWl4ZWQ=?= message\r
                Date: Mon, 30 Nov 2026 10:00:00 +0000\r
                Message-ID: <structure@example.test>\r
                MIME-Version: 1.0\r
                Content-Type: multipart/mixed; boundary=x\r
                \r
                --x\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                Gr=C3=BC=C3=9Fe\r
                --x\r
                Content-Type: application/pdf; name="plan.pdf"\r
                Content-Transfer-Encoding: base64\r
                Content-Disposition: attachment; filename="plan.pdf"\r
                \r
                JVBERi0xLjQ=\r
                --x\r
                Content-Type: message/rfc822\r
                \r
                Subject: inner\r
                From: c@example.test\r
                \r
                inside\r
                --x--\r

                """
            try await place.client.append(OctetArray(Array(message.utf8)), to: place.mailbox)
            try await place.client.select(place.mailbox)
            let row = try #require(
                try await place.client.fetch(UIDSet.all, [.envelope, .bodyStructure]).rows.first)
            #expect(!row.hasDamage)
            #expect(row.envelope?.subject == "\u{C4} mixed message")
            #expect(row.envelope?.from.first?.mailbox == Array("j".utf8))
            let structure = try #require(row.bodyStructure)
            #expect(
                structure.parts.map { "\($0.type)/\($0.subtype)" }.prefix(4) == [
                    "multipart/mixed", "text/plain", "application/pdf", "message/rfc822",
                ])
            let uid = try #require(row.uid)
            let part = try #require(PartNumber("2"))
            #expect(structure.part(part)?.transferEncoding == "base64")
            #expect(try await place.client.body(of: uid, part) == Array("%PDF-1.4".utf8))
            #expect(
                try await place.client.body(of: uid, part, isBinary: false)
                    == Array("%PDF-1.4".utf8))
            let text = try await place.client.body(of: uid, try #require(PartNumber("1")))
            #expect(String(decoding: text, as: UTF8.self).hasPrefix("Gr\u{FC}\u{DF}e"))
            #expect(
                try await place.client.message(uid).readableText()?.hasPrefix("Gr\u{FC}\u{DF}e")
                    == true)
            let inner = try await place.client.octets(
                of: uid, MessageSection(try #require(PartNumber("3")), .header))
            #expect(String(decoding: inner, as: UTF8.self).hasPrefix("Subject: inner"))
        },
        IMAPClaim("fetches by number and by UID, in batches and by rows") { place in
            let uids = try await place.fill(["a", "b", "c"])
            let byNumber = try await place.client.fetch(
                SequenceSet(SequenceNumber(2)!, through: SequenceNumber(3)!),
                [.uid, .headerFields(["Subject"])])
            #expect(byNumber.rows.compactMap(\.uid) == Array(uids[1...]))
            var subjects: [String] = []
            for try await row in place.client.rows(UIDSet(uids), [.envelope]) {
                subjects.append(row.envelope?.subject ?? "")
            }
            #expect(subjects == ["a", "b", "c"])
            let result = try await place.client.fetch(
                UIDSet(uids).union(UIDSet(UID(4_000_000)!)), [.flags])
            #expect(result.rows.count == 3 && result.missing == UIDSet(UID(4_000_000)!))
        },
        IMAPClaim("adds, removes and sets flags and keywords") { place in
            let uids = UIDSet(try await place.fill(["a", "b"]))
            let keyword = try #require(MessageFlag("$Forwarded"))
            try await place.client.store(uids, .add([.seen, keyword]))
            try await place.client.store(uids, .remove([.seen]), isSilent: true)
            var rows = try await place.client.fetch(uids, [.flags]).rows
            #expect(
                rows.allSatisfy {
                    $0.flags?.contains(keyword) == true && $0.flags?.contains(.seen) == false
                })
            try await place.client.store(uids, .replace([.answered]))
            rows = try await place.client.fetch(uids, [.flags]).rows
            #expect(rows.allSatisfy { Set($0.flags ?? []).subtracting([.recent]) == [.answered] })
        },
        IMAPClaim("copies and moves, and says which UIDs came of it") { place in
            let uids = try await place.fill(["a", "b", "c"])
            let other = try place.newName()
            try await place.make(other)
            let copied = try await place.client.copy(UIDSet(uids[..<2]), to: other)
            let moved = try await place.client.move(UIDSet(uids[2]), to: other)
            if await place.offers(.uidPlus) {
                #expect(copied.first?.uids?.count == 2)
                #expect(copied.first?.uids?[uids[0]] != nil)
                #expect(moved.first?.uids?.count == 1)
            }
            #expect(try await place.client.search(.all).count == 2)
            try await place.client.select(other, readOnly: true)
            let rows = try await place.client.fetch(UIDSet.all, [.envelope]).rows
            #expect(Set(rows.compactMap { $0.envelope?.subject }) == ["a", "b", "c"])
            let missing = try place.newName()
            try await place.client.select(place.mailbox)
            let error = await failure { try await place.client.copy(UIDSet(uids[0]), to: missing) }
            #expect(error?.text != nil)
        },
        IMAPClaim("removes what was named and nothing else") { place in
            let uids = try await place.fill(["a", "b", "c"], flags: [.deleted])
            try await place.client.expunge(UIDSet(uids[1]))
            #expect(try await place.client.search(.all).numbers == UIDSet([uids[0], uids[2]]))
            try await place.client.expunge()
            #expect(try await place.client.search(.all).count == 0)
        },
        IMAPClaim("replaces a message") { place in
            let uids = try await place.fill(["draft"])
            try await place.client.replace(
                uids[0], with: AppendMessage(OctetArray(Place.message("better"))), in: place.mailbox
            )
            let rows = try await place.client.fetch(UIDSet.all, [.envelope]).rows
            #expect(rows.compactMap { $0.envelope?.subject } == ["better"])
        },
        IMAPClaim("takes several messages at once") { place in
            let messages = ["a", "b", "c"].map {
                AppendMessage(OctetArray(Place.message($0)), flags: [.seen])
            }
            let result = try await place.client.append(messages, to: place.mailbox)
            if await place.offers(.uidPlus) { #expect(result.uids.count == 3) }
            #expect(try await place.client.status(of: place.mailbox).messages == 3)
        },
        IMAPClaim("streams a large message both ways in pieces") { place in
            let line = String(repeating: "0123456789abcdef", count: 4) + "\r\n"
            let body = String(repeating: line, count: 40_000)
            let message = Place.message("large", body: body)
            try await place.client.append(StreamedOctets(message), to: place.mailbox)
            try await place.client.select(place.mailbox)
            let uid = try #require(
                try await place.client.search(.all).numbers.flatMap {
                    $0.numbers.first { _ in true }
                })
            var octets: [UInt8] = []
            var pieces = 0
            let count = try await place.client.download(.message, of: uid) { (piece) async throws in
                octets += piece
                pieces += 1
            }
            #expect(octets == message && count == UInt64(message.count) && pieces > 1)
            let rest = try await place.client.download(.message, of: uid, from: 2_000_000) { _ in }
            #expect(rest == UInt64(message.count - 2_000_000))
            let row = try await place.client.fetch(UIDSet(uid), [.message]).rows.first
            #expect(row?.data(of: .message)?.octets.map(Array.init) == message)
        },
        IMAPClaim("gives what the server decodes", needs: [.binary]) { place in
            try await place.client.append(
                OctetArray(
                    Array(
                        "Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAwQ=\r\n"
                            .utf8)), to: place.mailbox)
            try await place.client.select(place.mailbox)
            let part = try #require(PartNumber("1"))
            let row = try #require(
                try await place.client.fetch(UIDSet.all, [.binary(part), .binarySize(part)]).rows
                    .first)
            let isRight = row.items.contains {
                if case .binary(part, _, let data) = $0 {
                    data.octets.map(Array.init) == [0, 1, 2, 3, 4]
                } else {
                    false
                }
            }
            #expect(isRight)
            #expect(row.items.contains(.binarySize(part, 5)))
        },
        IMAPClaim("joins a message from pieces on the server", needs: [.catenate]) { place in
            let uids = try await place.fill(["old"])
            let validity = try #require(await place.client.mailbox?.uidValidity)
            let url =
                "/\(place.mailbox.text);UIDVALIDITY=\(validity)/;UID=\(uids[0])/;SECTION=HEADER"
            let message = AppendMessage(
                .pieces([.url(url), .text(OctetArray(Array("new text\r\n".utf8)))]))
            try await place.client.append([message], to: place.mailbox)
            let rows = try await place.client.fetch(UIDSet.all, [.envelope, .section(.text)]).rows
            #expect(rows.last?.envelope?.subject == "old")
            #expect(
                rows.last?.data(of: .text)?.octets.map(Array.init) == Array("new text\r\n".utf8))
        },
        IMAPClaim("gives identifiers that last", needs: [.objectID]) { place in
            try await place.fill(["a"])
            let row = try #require(
                try await place.client.fetch(UIDSet.all, [.emailID, .threadID]).rows.first)
            #expect(row.items.contains { if case .emailID = $0 { true } else { false } })
        },
        IMAPClaim("gives previews", needs: [.preview]) { place in
            try await place.client.append(
                OctetArray(Place.message("p", body: "A short text to be seen.\r\n")),
                to: place.mailbox)
            try await place.client.select(place.mailbox)
            let row = try #require(
                try await place.client.fetch(UIDSet.all, [.preview()]).rows.first)
            let texts: [String?] = row.items.compactMap { item in
                if case .preview(let text) = item { .some(text) } else { nil }
            }
            // Cyrus has none until another program has made it.
            let text = try #require(texts.first)
            #expect(place.server.kind == .cyrus || text?.contains("short text") == true)
        },
        IMAPClaim("gives the date of saving", needs: [.saveDate]) { place in
            try await place.fill(["a"])
            let row = try #require(try await place.client.fetch(UIDSet.all, [.saveDate]).rows.first)
            #expect(row.items.contains { if case .saveDate = $0 { true } else { false } })
        },
    ]
}
