import MartletIMAP
import MartletTestSupport
import Testing

extension IMAPClaim {
    static let searches: [IMAPClaim] = [
        IMAPClaim("finds by kind and by expression, in letters beyond ASCII, too") { place in
            let uids = try await place.fill(["red apple", "green apple", "Gr\u{FC}ne Birne"])
            try await place.client.store(UIDSet(uids[0]), .add([.flagged]), isSilent: true)
            #expect(try await place.client.search(.subject("apple")).numbers == UIDSet(uids[..<2]))
            #expect(try await place.client.search(.from("ann@example")).count == 3)
            #expect(try await place.client.search(.flagged).numbers == UIDSet(uids[0]))
            let key = SearchKey.and([
                .subject("apple"), .not(.or([.flagged, .body("nothing such")])),
            ])
            #expect(try await place.client.search(key).numbers == UIDSet(uids[1]))
            #expect(try await place.client.search(.body("Hello")).count == 3)
            #expect(try await place.client.search(.larger(10_000_000)).count == 0)
            #expect(try await place.client.search(.header("Message-ID", "example.test")).count == 3)
            // Raw UTF-8 in a header is found by some servers; none may stumble over it.
            _ = try await place.client.search(.subject("Gr\u{FC}ne"))
            #expect(
                try await place.client.searchNumbers(.subject("green")).numbers
                    == SequenceSet(SequenceNumber(2)!))
        },
        IMAPClaim("gives the smallest, the largest and the count", needs: [.eSearch]) { place in
            let uids = try await place.fill(["a", "b", "c"])
            let result = try await place.client.search(
                .all, returning: SearchReturn([.min, .max, .count]))
            #expect(result.minimum == uids[0] && result.maximum == uids[2] && result.count == 3)
        },
        IMAPClaim("keeps a result for the next command", needs: [.searchRes, .eSearch]) { place in
            let uids = try await place.fill(["a", "b"])
            _ = try await place.client.search(.subject("b"), returning: SearchReturn([.save]))
            let result = try await place.client.run(IMAP.Fetch<UID>(.searchResult, [.flags]))
            #expect(result.rows.compactMap(\.uid) == [uids[1]])
        },
        IMAPClaim("sorts", needs: [.sort]) { place in
            let uids = try await place.fill(["b", "c", "a"])
            let sorted = try await place.client.sort(by: [SortCriterion(.subject)])
            #expect(Array(sorted.numbers) == [uids[2], uids[0], uids[1]])
            let reversed = try await place.client.sort(by: [.reverse(.subject)], .subject("b"))
            #expect(Array(reversed.numbers) == [uids[0]])
        },
        IMAPClaim("threads", needs: [Capability("THREAD=REFERENCES")]) { place in
            try await place.client.append(
                OctetArray(Array("Message-ID: <1@example.test>\r\nSubject: x\r\n\r\na\r\n".utf8)),
                to: place.mailbox)
            try await place.client.append(
                OctetArray(
                    Array(
                        "Message-ID: <2@example.test>\r\nReferences: <1@example.test>\r\nSubject: Re: x\r\n\r\nb\r\n"
                            .utf8)),
                to: place.mailbox)
            try await place.client.select(place.mailbox)
            let nodes = try await place.client.threads()
            #expect(nodes.count == 2 && nodes[1].parent == 0)
        },
        IMAPClaim("knows how old messages are", needs: [.within]) { place in
            try await place.fill(["new"])
            #expect(try await place.client.search(.younger(seconds: 86_400)).count == 1)
            #expect(try await place.client.search(.older(seconds: 86_400)).count == 0)
        },
        IMAPClaim("finds what changed", needs: [.condStore]) { place in
            let uids = try await place.fill(["a", "b"])
            let before = try #require(
                try await place.client.select(place.mailbox).mailbox.highestModSeq)
            try await place.client.store(UIDSet(uids[1]), .add([.flagged]), isSilent: true)
            let changed = try await place.client.fetch(UIDSet.all, [.flags], changedSince: before)
            #expect(changed.rows.compactMap(\.uid) == [uids[1]])
            #expect(changed.rows.first?.modSeq.map { $0 > before } == true)
            let refused = try await place.client.store(
                UIDSet(uids), .add([.answered]), unchangedSince: before)
            #expect(refused.modified.contains(uids[1]))
        },
        IMAPClaim("tells what changed and vanished since", needs: [.qResync]) { place in
            let uids = try await place.fill(["a", "b", "c"])
            try await place.client.enable([.qResync])
            let opened = try await place.client.select(place.mailbox).mailbox
            let known = IMAP.Select.KnownState(
                uidValidity: try #require(opened.uidValidity),
                modSeq: try #require(opened.highestModSeq),
                uids: UIDSet(uids))
            try await place.client.store(UIDSet(uids[0]), .add([.deleted]), isSilent: true)
            try await place.client.store(UIDSet(uids[2]), .add([.flagged]), isSilent: true)
            try await place.client.expunge(UIDSet(uids[0]))
            try await place.client.unselect()
            let changes = try await place.client.select(place.mailbox, known: known).changes
            #expect(changes.vanished.contains(uids[0]))
            #expect(
                changes.rows.contains { $0.uid == uids[2] && $0.flags?.contains(.flagged) == true })
        },
    ]
}
