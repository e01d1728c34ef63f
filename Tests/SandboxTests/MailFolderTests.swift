import MartletBytes
import MartletIMAP
import MartletSMTP
import MartletSandbox
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite("Sandbox mail in a folder", .timeLimit(.minutes(2)))
struct MailFolderTests {
    /// A folder of mail, and sandboxes on it one after the other.
    private struct Kept {
        let folder: TemporaryFolder

        var inbox: String { folder.path + "/alice@example.test" }

        func run(_ body: (Sandbox, IMAPDialogue) async throws -> Void) async throws {
            try await withSandbox({ $0.mailFolder = folder.path }) { sandbox in
                let imap = try await IMAPDialogue.open(sandbox)
                try await body(sandbox, imap)
                await imap.close()
            }
        }

        func maildir(_ name: String = "") throws -> LocalMaildir {
            try LocalMaildir(name.isEmpty ? inbox : inbox + "/." + name)
        }
    }

    private func withKept(_ body: (Kept) async throws -> Void) async throws {
        let folder = try TemporaryFolder("kept")
        defer { folder.remove() }
        try await body(Kept(folder: folder))
    }

    private func send(
        _ octets: [UInt8], to user: String, _ sandbox: Sandbox
    ) async throws {
        let envelope = DeliveryEnvelope(
            reversePath: .null, forwardPaths: [try ForwardPath(user + "@example.test")])
        try await SMTPClient.withConnection(to: sandbox.server(.plaintext)) {
            _ = try await $0.send(OctetArray(octets), envelope: envelope)
        }
    }

    private static let facts = "(UIDVALIDITY UIDNEXT MESSAGES UNSEEN SIZE MAILBOXID)"

    @Test("a restart keeps UIDs, their validity, flags, keywords, dates, IDs and uses of mailboxes")
    func restart() async throws {
        try await withKept { kept in
            var before: [String] = []
            func state(_ imap: IMAPDialogue) async throws -> [String] {
                var state: [String] = []
                for name in ["INBOX", "Work/Ü", "Drafts"] {
                    let wire = name.replacing("Ü", with: "&ANw-")
                    state += try await imap.run("STATUS \(wire) \(Self.facts)")
                    _ = try await imap.run("EXAMINE \(wire)")
                    state += try await imap.run(
                        "UID FETCH 1:* (FLAGS INTERNALDATE RFC822.SIZE SAVEDATE EMAILID BODY.PEEK[])"
                    )
                }
                state += try await imap.run("LIST \"\" * RETURN (SPECIAL-USE)")
                // Flags are a set.
                return state.map { row in
                    row.replacing(#/FLAGS \(([^)]*)\)/#) {
                        "FLAGS \($0.1.split(separator: " ").sorted())"
                    }
                }
            }
            try await kept.run { sandbox, imap in
                try await send(Letters.utf8, to: "alice", sandbox)
                for letter in Letters.all { try await imap.append(letter, flags: "\\Seen $Work") }
                _ = try await imap.run("CREATE Work/&ANw-")
                try await imap.append(Letters.dots, to: "Work/&ANw-", flags: "\\Flagged \\Draft")
                _ = try await imap.run("SELECT INBOX")
                _ = try await imap.run("STORE 2 +FLAGS (\\Answered $Forwarded later)")
                _ = try await imap.run("STORE 3 -FLAGS (\\Seen $Work)")
                _ = try await imap.run("STORE 5 +FLAGS (\\Deleted)")
                _ = try await imap.run("EXPUNGE")
                before = try await state(imap)
            }
            for _ in 0..<2 {
                try await kept.run { _, imap in
                    let now = try await state(imap)
                    #expect(now.filter { !before.contains($0) } == [])
                    #expect(now.count == before.count)
                    _ = try await imap.run("SELECT INBOX")
                    #expect(
                        Set(
                            try await imap.run("UID SEARCH KEYWORD later").first.map { [$0] } ?? [])
                            == ["* SEARCH 2"])
                }
            }
            // A UID is never given again, also where the last message went before the restart.
            try await kept.run { _, imap in
                let answer = try await imap.append(Letters.plain)
                #expect(answer.contains(" 6]"))
            }
        }
    }

    @Test("the first mail after a start is there once, and goes to those who had none")
    func firstDelivery() async throws {
        try await withKept { kept in
            for count in 1...2 {
                try await withSandbox({ $0.mailFolder = kept.folder.path }) { sandbox in
                    try await send(Letters.plain, to: "alice", sandbox)
                    let letters = try await sandbox.letters()
                    #expect(letters.map(\.uid) == (1...count).map(UInt32.init))
                    #expect(letters.map(\.octets) == letters.map { _ in Letters.plain })
                    #expect(try kept.maildir().files().count == count)
                }
            }
        }
    }

    @Test("what other programs do shows while it runs: new mail, flags, removal, folders")
    func others() async throws {
        try await withKept { kept in
            try await kept.run { sandbox, imap in
                var inbox = try kept.maildir()
                // Before anybody looked, and with the line ends of files.
                try inbox.add(Letters.asFile(Letters.dots))
                let first = try await sandbox.letters()
                #expect(first.map(\.octets) == [Letters.dots])
                #expect(
                    try await imap.run("STATUS INBOX (SIZE)").first
                        == "* STATUS INBOX (SIZE \(Letters.dots.count))")
                _ = try await imap.run("SELECT INBOX")
                try inbox.add(Letters.utf8)
                #expect(try await imap.run("NOOP").contains("* 2 EXISTS"))
                #expect(
                    try await imap.run("FETCH 2 (UID RFC822.SIZE)").first
                        == "* 2 FETCH (UID 2 RFC822.SIZE \(Letters.utf8.count))")
                try await imap.append(Letters.plain, flags: "$Work")
                try inbox.setFlags("FS", ofSubject: "dots")
                try inbox.setFlags("R", ofSubject: "plain")
                let news = try await imap.run("NOOP")
                #expect(news.contains("* 1 FETCH (UID 1 FLAGS (\\Seen \\Flagged))"), "\(news)")
                #expect(news.contains("* 3 FETCH (UID 3 FLAGS (\\Answered $Work))"), "\(news)")
                try inbox.remove(subject: "dots")
                #expect(try await imap.run("NOOP").contains("* 1 EXPUNGE"))
                // An idling client hears of it by itself.
                try await imap.send("i IDLE\r\n")
                #expect(try await imap.line() == "+ idling")
                try inbox.add(Letters.long)
                #expect(try await imap.line() == "* 3 EXISTS")
                try await imap.send("DONE\r\n")
                while try await imap.line() != "i OK Done" {}
                // Folders come and go.
                var made = try kept.maildir("Made.Inside")
                try made.add(Letters.plain)
                #expect(try await imap.mailboxes().contains("Made/Inside"))
                #expect(try await sandbox.letters(in: "Made/Inside").count == 1)
                let pop = try await LineDialogue(sandbox.ports.pop3)
                try inbox.add(Letters.plain)
                _ = try await pop.ask("USER alice")
                _ = try await pop.ask("PASS x")
                #expect(try await pop.ask("STAT").hasPrefix("+OK 4 "))
                TemporaryFolderTree.remove(kept.inbox + "/.Made.Inside")
                #expect(try await imap.mailboxes().contains("Made/Inside") == false)
            }
        }
    }

    @Test("rubbish in the folder is passed over, and what is good is served")
    func garbage() async throws {
        try await withKept { kept in
            let inbox = kept.inbox
            try await kept.run { sandbox, _ in try await sandbox.fill() }
            let record = inbox + "/martlet-mailbox"
            mkdir(inbox + "/new/folder", 0o700)
            mkdir(inbox + "/.", 0o700)
            mkdir(inbox + "/.Bare", 0o700)
            mkdir(inbox + "/.a..b", 0o700)
            mkdir(inbox + "/.Half", 0o700)
            mkdir(inbox + "/.Half/cur", 0o700)
            symlink("/etc/hostname", inbox + "/new/link")
            symlink("/nowhere", inbox + "/cur/dangling:2,S")
            mkfifo(inbox + "/new/pipe", 0o600)
            for name in ["new/.hidden", "new/:2,S", "cur/no flags", "cur/x:1,y", "tmp/1.half"] {
                try write(Letters.plain, toFile: inbox + "/" + name)
            }
            try write([], toFile: inbox + "/cur/empty:2,")
            try write([0, 0xFF, 10, 0], toFile: inbox + "/new/\u{1F426}")
            mkdir(kept.folder.path + "/not an address", 0o700)
            try write([1, 2, 3], toFile: kept.folder.path + "/file")
            var uids: [[UInt32]] = []
            for octets in [nil, [], [0, 1, 2, 255, 10], Array("martlet 1 0 B\n".utf8)] as [[UInt8]?]
            {
                if let octets { try write(octets, toFile: record) }
                try await kept.run { sandbox, imap in
                    let letters = try await sandbox.letters()
                    for letter in Letters.all {
                        #expect(letters.contains { $0.octets == letter }, "\(letters)")
                    }
                    #expect(Set(letters.map(\.uid)).count == letters.count)
                    uids.append(letters.map(\.uid))
                    #expect(try await imap.mailboxes().contains("Half"))
                    try await imap.append(Letters.plain)
                }
            }
            // What was known keeps its number.
            #expect(uids[0].starts(with: [1, 2, 3, 4]))
            #expect(!fileExists(inbox + "/cur/pipe"))
        }
    }

    @Test("wherever a kill cut the record off, all mail is there, and no UID means two messages")
    func kill() async throws {
        try await withKept { kept in
            try await kept.run { sandbox, imap in
                try await sandbox.fill()
                _ = try await imap.run("SELECT INBOX")
                _ = try await imap.run("STORE 1:* +FLAGS ($Work)")
            }
            let record = kept.inbox + "/martlet-mailbox"
            let whole = try octets(ofFile: record)
            for length in stride(from: whole.count, through: 0, by: -13) {
                try write(Array(whole[..<length]), toFile: record)
                try await withSandbox({ $0.mailFolder = kept.folder.path }) { sandbox in
                    let letters = try await sandbox.letters()
                    #expect(
                        Set(letters.map(\.octets)) == Set(Letters.all), "cut at \(length)")
                    #expect(Set(letters.map(\.uid)).count == Letters.all.count)
                }
            }
            // Killed between the file and its line: the file is mail, and gets the next number.
            try write(whole, toFile: record)
            var inbox = try kept.maildir()
            try inbox.add(Letters.letter("between", "Between.\n"))
            try write(Letters.plain, toFile: kept.inbox + "/tmp/1796000000.half")
            try await kept.run { sandbox, _ in
                let letters = try await sandbox.letters()
                #expect(letters.map(\.uid) == [1, 2, 3, 4, 5])
                #expect(letters.last?.subject == "between")
                #expect(letters.first?.flags == ["$Work"])
            }
        }
    }

    @Test("Python reads it and puts mail in, as into any Maildir", .needs(.python))
    func python() async throws {
        try await withKept { kept in
            try await kept.run { sandbox, imap in
                try await sandbox.fill()
                _ = try await imap.run("SELECT INBOX")
                _ = try await imap.run("STORE 2 +FLAGS (\\Seen \\Flagged)")
                _ = try await imap.run("CREATE Work/2026")
                try await imap.append(Letters.dots, to: "Work/2026")
                try await ClientHome.with(.python, sandbox) { home in
                    try await PythonTests.run(
                        """
                        import mailbox
                        box = mailbox.Maildir("\(kept.inbox)", create=False)
                        same(sorted(box.list_folders()), ["Archive", "Drafts", "Junk", "Sent", "Trash", "Work", "Work.2026"])
                        same(sorted(box.get_bytes(key) for key in box.keys()), sorted(letters))
                        flags = {str(message["Subject"]): message.get_flags() for message in box}
                        same(flags["dots"], "FS")
                        same(flags["plain"], "")
                        same(len(box.get_folder("Work.2026")), 1)
                        message = mailbox.MaildirMessage(b"Subject: from Python\\n\\nHello.\\n")
                        message.set_subdir("cur")
                        message.set_flags("RS")
                        box.add(message)
                        """, home, sandbox)
                }
                let letters = try await sandbox.letters()
                #expect(letters.last?.text == "Subject: from Python\r\n\r\nHello.\r\n")
                #expect(letters.last?.flags == ["\\Answered", "\\Seen"])
            }
        }
    }

    @Test("mbsync syncs the folder itself, and UIDs outlast what it does to names", .needs(.isync))
    func mbsync() async throws {
        try await withKept { kept in
            try await kept.run { sandbox, imap in
                try await sandbox.fill()
                try await imap.append(Letters.dots, to: "Archive", flags: "\\Flagged")
                try await ClientHome.with(.isync, sandbox) { home in
                    home.makeFolder("copy")
                    let file = try home.write(
                        """
                        MaildirStore kept
                        Inbox \(kept.inbox)
                        SubFolders Maildir++

                        MaildirStore copy
                        Path \(home.path)/copy/
                        Inbox \(home.path)/copy/INBOX
                        SubFolders Verbatim

                        Channel it
                        Far :kept:
                        Near :copy:
                        Patterns *
                        Create Near
                        Expunge Both
                        SyncState \(home.path)/
                        """, to: "mbsyncrc")
                    try await home.succeed(["mbsync", "-c", file, "it"])
                    let copy = try LocalMaildir(home.path + "/copy/INBOX")
                    #expect(try copy.summary() == (try kept.maildir().summary()))
                    try copy.setFlags("S", ofSubject: "long")
                    try await home.succeed(["mbsync", "-c", file, "it"])
                    let letters = try await sandbox.letters()
                    #expect(letters.map(\.uid) == [1, 2, 3, 4])
                    #expect(letters.map(\.octets) == Letters.all)
                    #expect(letters.last?.flags == ["\\Seen"])
                }
            }
            try await kept.run { sandbox, _ in
                let letters = try await sandbox.letters()
                #expect(letters.map(\.uid) == [1, 2, 3, 4])
            }
        }
    }
}

/// Removes a folder that a test made.
enum TemporaryFolderTree {
    static func remove(_ path: String) {
        for name in (try? namesInFolder(path)) ?? [] {
            let inside = path + "/" + name
            if unlink(inside) != 0 { remove(inside) }
        }
        rmdir(path)
    }
}
