import MartletIMAP
import MartletTestSupport
import Testing

extension IMAPClaim {
    /// Connections: logins, TLS, watching, compression, several at once.
    static func connections(at server: RealIMAPServer) -> [IMAPClaim] {
        server.mechanisms(of: .imaps).subtracting([
            "EXTERNAL", "ANONYMOUS", "XOAUTH2", "OAUTHBEARER",
        ])
        .filter { !$0.hasPrefix("CRAM-SHA") }.sorted().map(login)
            + [
                IMAPClaim("starts TLS") { place in
                    try await IMAPClient.withConnection(to: place.server.entrance(.imap)) { imap in
                        try await imap.noop()
                        #expect(await imap.tls != nil)
                    }
                },
                IMAPClaim("takes name and password by LOGIN where that is all") { place in
                    var server = try place.server.entrance()
                    server.credentials?.mechanisms = []
                    let error = await failure { try await IMAPClient(server).connect() }
                    #expect(error != nil)
                    try await IMAPClient.withConnection(to: place.server.entrance()) { imap in
                        try await imap.run(IMAP.Noop())
                    }
                },
                IMAPClaim("refuses a wrong password as such") { place in
                    var server = try place.server.entrance()
                    server.credentials = Credentials(user: "alice") { Secret("wrong") }
                    let error = await failure { try await IMAPClient(server).connect() }
                    #expect(error?.recovery == .authenticate, "\(String(describing: error))")
                    #expect(error?.description.contains("refused the login") == true)
                },
                IMAPClaim("hears of new messages and changes at once", needs: [.idle]) { place in
                    try await place.client.select(place.mailbox)
                    var events = place.client.watch(place.mailbox).makeAsyncIterator()
                    guard case .opened? = try await events.next() else {
                        Issue.record("not opened")
                        return
                    }
                    try await IMAPClient.withConnection(to: place.server.entrance()) { other in
                        _ = try await other.append(
                            OctetArray(Place.message("news")), to: place.mailbox)
                    }
                    while let element = try await events.next() {
                        if case .event(.exists(1)) = element { break }
                    }
                },
                IMAPClaim("compresses", needs: [.compressDeflate]) { place in
                    var server = try place.server.entrance()
                    server.compresses = true
                    let message = Place.message(
                        "z", body: String(repeating: "all work and no play\r\n", count: 20_000))
                    try await IMAPClient.withConnection(to: server) { imap in
                        try await imap.append(OctetArray(message), to: place.mailbox)
                        try await imap.select(place.mailbox)
                        let row = try await imap.fetch(UIDSet.all, [.message]).rows.first
                        #expect(row?.data(of: .message)?.octets.map(Array.init) == message)
                    }
                },
                IMAPClaim("hears of other mailboxes over one connection", needs: [.notify]) {
                    place in
                    let other = try place.newName()
                    try await place.make(other)
                    try await place.client.select(place.mailbox)
                    let events = try await place.client.events()
                    _ = try await place.client.run(
                        IMAP.Notify([
                            .init(.selected, [.messageNew([.uid]), .messageExpunge]),
                            .init(.mailboxes([other]), [.messageNew(), .messageExpunge]),
                        ]))
                    try await IMAPClient.withConnection(to: place.server.entrance()) { another in
                        let elsewhere = Task {
                            await Place.keepAppending("elsewhere", to: other, by: another)
                        }
                        for try await event in events {
                            guard case .status(other, let status) = event else { continue }
                            if status.messages ?? 0 > 0 { break }
                        }
                        elsewhere.cancel()
                        await elsewhere.value
                    }
                },
                IMAPClaim("watches all mailboxes of the account over one connection") { place in
                    let (other, fresh) = (try place.newName(), try place.newName())
                    try await place.make(other)
                    // Without NOTIFY the others are asked for: soon, for a test. With it never.
                    var server = try place.server.entrance()
                    server.timeouts.polling =
                        place.server.kind.offers("NOTIFY") ? .seconds(3_600) : .milliseconds(200)
                    let watcher = IMAPClient(server)
                    var changes = watcher.watchAccount(selecting: place.mailbox).makeAsyncIterator()
                    guard case .opened(let numbers)? = try await changes.next() else {
                        Issue.record("not opened")
                        return
                    }
                    #expect(numbers[other]?.messages == 0 && numbers[place.mailbox]?.messages == 0)
                    // Again where it is not told: Dovecot's NOTIFY now and then misses a message.
                    let elsewhere = Task {
                        await Place.keepAppending("elsewhere", to: other, by: place.client)
                    }
                    while let change = try await changes.next() {
                        guard case .numbers(other, let status) = change else { continue }
                        if status.messages ?? 0 > 0 { break }
                    }
                    elsewhere.cancel()
                    await elsewhere.value
                    let here = Task {
                        await Place.keepAppending("here", to: place.mailbox, by: place.client)
                    }
                    while let change = try await changes.next() {
                        if case .event(place.mailbox, .exists) = change { break }
                    }
                    here.cancel()
                    await here.value
                    let making = Task { await place.keepMaking(fresh.description) }
                    while let change = try await changes.next() {
                        guard case .mailbox(let entry) = change else { continue }
                        if entry.name.description.hasPrefix(fresh.description) { break }
                    }
                    making.cancel()
                    await making.value
                    await watcher.close()
                },
                IMAPClaim("works in several mailboxes at the same time") { place in
                    let account = IMAPAccount(try place.server.entrance(), connections: 3)
                    let names = try [place.mailbox, place.newName(), place.newName()]
                    for name in names.dropFirst() { try await place.make(name) }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<12 {
                            group.addTask {
                                _ = try await account.withClient(in: names[number % 3]) { imap in
                                    try await imap.append(
                                        OctetArray(Place.message("m\(number)")),
                                        to: names[number % 3])
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    await account.close()
                    for name in names {
                        #expect(try await place.client.status(of: name).messages == 4)
                    }
                },
                IMAPClaim("answers 200 commands that were sent at once") { place in
                    try await place.fill(["a"])
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<200 {
                            group.addTask { _ = try await place.client.fetch(UIDSet.all, [.flags]) }
                        }
                        try await group.waitForAll()
                    }
                },
                IMAPClaim("runs a command inside of a loop over rows") { place in
                    try await place.fill(["a", "b", "c"])
                    for try await row in place.client.rows(UIDSet.all, [.flags, .message]) {
                        let uid = try #require(row.uid)
                        try await place.client.store(UIDSet(uid), .add([.seen]), isSilent: true)
                    }
                    #expect(try await place.client.search(.unseen).count == 0)
                },
            ]
    }

    private static func login(_ mechanism: String) -> IMAPClaim {
        IMAPClaim("logs in by \(mechanism)") { place in
            var server = try place.server.entrance()
            server.credentials?.mechanisms = [mechanism]
            let (steps, continuation) = AsyncStream.makeStream(of: IMAPConnectionStep.self)
            let client = IMAPClient(server)
            try await client.connect(steps: continuation)
            var used: String?
            for await step in steps { if case .authenticated(let name) = step { used = name } }
            #expect(used == mechanism)
            await client.close()
        }
    }
}
