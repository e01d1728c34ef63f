import MartletIMAP
import MartletTestSupport
import Testing

extension IMAPClaim {
    static let mailboxes: [IMAPClaim] = [
        IMAPClaim("lists all mailboxes with their delimiter, INBOX among them") { place in
            let listed = try await place.client.mailboxes()
            #expect(listed.contains { $0.entry.name == .inbox })
            let own = try #require(listed.first { $0.entry.name == place.mailbox })
            #expect(own.entry.isSelectable)
            #expect(own.entry.delimiter == place.server.kind.hierarchySeparator.asciiValue)
        },
        IMAPClaim(
            "creates, renames, subscribes, unsubscribes and deletes, also with letters beyond ASCII"
        ) { place in
            let (first, second) = (try place.newName(), try place.newName())
            // Courier has no names beyond the Basic Multilingual Plane.
            let envelope = place.server.kind == .courier ? "" : " \u{1F4E7}"
            let odd = try MailboxName(first.text + " Entw\u{FC}rfe & \u{53F0}\u{5317}" + envelope)
            try await place.make(odd)
            try await place.client.subscribe(odd)
            #expect(
                try await place.client.mailboxes(subscribedOnly: true).contains {
                    $0.entry.name == odd
                })
            try await place.client.unsubscribe(odd)
            #expect(
                try await !place.client.mailboxes(subscribedOnly: true).contains {
                    $0.entry.name == odd
                })
            try await place.client.rename(odd, to: second)
            let names = try await place.client.mailboxes().map(\.entry.name)
            #expect(names.contains(second) && !names.contains(odd))
            try await place.client.delete(second)
            #expect(try await !place.client.mailboxes().map(\.entry.name).contains(second))
        },
        IMAPClaim("tells what is wrong with a name, and goes on") { place in
            let missing = try place.newName()
            let error = await failure { try await place.client.select(missing) }
            #expect(error?.command == "SELECT")
            switch error?.kind {
            case .refused: break
            default: Issue.record("\(String(describing: error))")
            }
            let twice = await failure { try await place.client.create(place.mailbox) }
            #expect(twice?.text != nil)
            try await place.client.noop()
        },
        IMAPClaim("gives numbers of mailboxes without selecting them") { place in
            try await place.client.append(OctetArray(Place.message("a")), to: place.mailbox)
            try await place.client.append(
                OctetArray(Place.message("b")), to: place.mailbox, flags: [.seen])
            let status = try await place.client.status(of: place.mailbox)
            #expect(status.counts == [2, 1])
            #expect(status.uidValidity != nil && status.uidNext != nil)
            let all = try await place.client.mailboxes(status: [
                .messages, .size, .highestModSeq, .mailboxID,
            ])
            let own = try #require(all.first { $0.entry.name == place.mailbox }?.status)
            #expect(own.messages == 2)
            if await place.offers(.statusSize) { #expect((own.sizeInOctets ?? 0) > 200) }
            if await place.offers(.condStore) { #expect(own.highestModSeq != nil) }
            if await place.offers(.objectID) { #expect(own.mailboxID != nil) }
        },
        IMAPClaim("says what a mailbox is like when it is selected") { place in
            try await place.fill(["a", "b"])
            let opened = try await place.client.select(place.mailbox).mailbox
            #expect(opened.messageCount == 2 && opened.uidValidity != nil && !opened.isReadOnly)
            #expect(opened.flags.contains(.seen))
            if await place.offers(.condStore) { #expect(opened.highestModSeq != nil) }
            let examined = try await place.client.select(place.mailbox, readOnly: true).mailbox
            #expect(examined.isReadOnly && examined.uidValidity == opened.uidValidity)
            try await place.client.unselect()
            #expect(await place.client.mailbox == nil)
        },
        IMAPClaim("tells its namespaces", needs: [.namespace]) { place in
            let namespaces = try #require(try await place.client.namespaces())
            let personal = try #require(namespaces.personal.first)
            #expect(personal.prefix.text == place.server.kind.personalPrefix)
        },
        IMAPClaim("marks special mailboxes", needs: [.specialUse]) { place in
            let listed = try await place.client.mailboxes()
            #expect(listed.contains { $0.entry.attributes.contains(.trash) })
            #expect(listed.contains { $0.entry.attributes.contains(.sent) })
        },
        IMAPClaim("makes a mailbox with a use", needs: [.createSpecialUse]) { place in
            let name = try place.newName()
            try await place.client.create(name, uses: [.important])
            #expect(try await place.client.mailboxes().contains { $0.entry.name == name })
        },
        IMAPClaim("says who it is", needs: [.id]) { place in
            let identity = try await place.client.serverIdentity()
            #expect(identity?["name"] != nil)
            #expect(
                await place.client.profile?.name.lowercased().contains(place.server.kind.rawValue)
                    == true)
        },
        IMAPClaim("tells the quota", needs: [.quota]) { place in
            _ = try await place.client.quota(of: place.mailbox)
        },
        IMAPClaim("tells and changes access rights", needs: [.acl]) { place in
            #expect(try await place.client.ownRights(to: place.mailbox).contains("r"))
            try await place.client.run(
                IMAP.SetACL(place.mailbox, "bob", AccessRights("lr")))
            let entries = try await place.client.accessRights(to: place.mailbox)
            #expect(entries.contains { $0.identifier == "bob" && $0.rights.contains("r") })
            _ = try await place.client.run(IMAP.ListRights(place.mailbox, "bob"))
            try await place.client.run(IMAP.DeleteACL(place.mailbox, "bob"))
            #expect(
                try await !place.client.accessRights(to: place.mailbox).contains {
                    $0.identifier == "bob"
                })
        },
        IMAPClaim("keeps annotations", needs: [.metadata]) { place in
            let name = "/private/comment"
            let text = Array("for \u{FC}s\r\nlines".utf8)
            try await place.client.setMetadata([.init(name: name, value: text)], of: place.mailbox)
            let found = try await place.client.metadata([name], of: place.mailbox)
            #expect(found.entries.first.flatMap { $0.value.octets.map(Array.init) } == text)
            try await place.client.setMetadata([.init(name: name, value: nil)], of: place.mailbox)
        },
        IMAPClaim("takes names as UTF-8", needs: [.utf8Accept]) { place in
            #expect(try await place.client.enable([.utf8Accept]).contains(.utf8Accept))
            let name = try MailboxName(place.newName().text + " \u{FC} & \u{53F0}")
            try await place.make(name)
            #expect(try await place.client.mailboxes().contains { $0.entry.name == name })
            try await place.client.select(name)
            try await place.client.unselect()
            try await place.client.delete(name)
        },
    ]
}
