import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite("Sandbox and mbsync", .needs(.isync), .timeLimit(.minutes(2)))
struct MbsyncTests {
    /// How it comes in, and where the sandbox keeps mail.
    struct Way: Sendable, CustomTestStringConvertible {
        var tls: String
        var isInFolder: Bool
        var testDescription: String { "\(tls), mail \(isInFolder ? "in a folder" : "in memory")" }
    }

    private func command(
        _ home: ClientHome, _ sandbox: Sandbox, tls: String = "IMAPS", authority: String? = nil
    ) throws -> [String] {
        home.makeFolder("mail")
        let file = try home.write(
            """
            IMAPAccount it
            Host localhost
            Port \((tls == "IMAPS" ? sandbox.ports.imaps : sandbox.ports.imap) ?? 0)
            User alice
            Pass secret
            SSLType \(tls)
            CertificateFile \(authority ?? home.authority)
            SystemCertificates no
            Timeout 20

            IMAPStore far
            Account it

            MaildirStore near
            Path \(home.path)/mail/
            Inbox \(home.path)/mail/INBOX
            SubFolders Verbatim

            Channel it
            Far :far:
            Near :near:
            Patterns *
            Create Both
            Remove Both
            Expunge Both
            CopyArrivalDate yes
            SyncState *
            """, to: "mbsyncrc")
        return ["mbsync", "-c", file, "it"]
    }

    /// What the far side holds, by mailbox.
    private func served(_ sandbox: Sandbox) async throws -> [String: [String]] {
        let imap = try await IMAPDialogue.open(sandbox)
        var all: [String: [String]] = [:]
        for name in try await imap.mailboxes() {
            all[name] = try await imap.letters(in: name).summary
        }
        await imap.close()
        return all
    }

    /// What the near side holds, by mailbox.
    private func near(_ path: String, below name: String = "") throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for folder in try namesInFolder(path + "/" + name)
        where !["cur", "new", "tmp"].contains(folder) && !folder.hasPrefix(".") {
            let full = name.isEmpty ? folder : name + "/" + folder
            guard fileExists("\(path)/\(full)/cur") else { continue }
            all[full] = try LocalMaildir("\(path)/\(full)").summary()
            all.merge(try near(path, below: full)) { $1 }
        }
        return all
    }

    /// What the sandbox's own folder holds, by mailbox.
    private func kept(_ folder: String) throws -> [String: [String]] {
        let root = folder + "/alice@example.test"
        var all = ["INBOX": try LocalMaildir(root).summary()]
        for name in try namesInFolder(root) where name.hasPrefix(".") {
            let mailbox = name.dropFirst().replacing(".", with: "/")
            all[String(mailbox)] = try LocalMaildir(root + "/" + name).summary()
        }
        return all
    }

    private func expectSame(
        _ left: [String: [String]], _ right: [String: [String]],
        at location: SourceLocation = #_sourceLocation
    ) {
        for name in Set(left.keys).union(right.keys) {
            #expect(left[name] == right[name], "\(name)", sourceLocation: location)
        }
    }

    @Test(
        "two-way sync leaves both sides equal, whatever was made, flagged, moved and deleted on both",
        arguments: [
            Way(tls: "IMAPS", isInFolder: false), Way(tls: "STARTTLS", isInFolder: true),
        ])
    func syncs(way: Way) async throws {
        let folder = try TemporaryFolder("mail")
        defer { folder.remove() }
        try await withSandbox({ if way.isInFolder { $0.mailFolder = folder.path } }) { sandbox in
            let names = [
                "far stays", "far flag", "far gone", "far moves", "near flag", "near gone",
            ]
            let more = ["near moves", "both flag", "both gone"]
            try await sandbox.fill((names + more).map { Letters.letter($0, "It is \($0).\n") })
            try await sandbox.fill(in: "Drafts")
            try await ClientHome.with(.isync, sandbox) { home in
                let command = try command(home, sandbox, tls: way.tls)
                let mail = home.path + "/mail"
                try await home.succeed(command)
                expectSame(try near(mail), try await served(sandbox))
                #expect(try near(mail)["INBOX"]?.count == 9)

                try await changeFar(sandbox)
                try changeNear(mail)
                try await home.succeed(command)
                let far = try await served(sandbox)
                expectSame(try near(mail), far)
                #expect(far["INBOX"]?.count == 5)
                #expect(far["Archive"]?.count == 2)
                #expect(far["Work/2026"]?.count == 1)
                #expect(far["Near"]?.count == 1)
                #expect(far["Junk"] == nil)
                let inbox = try await sandbox.letters()
                func flags(_ subject: String) -> Set<String>? {
                    inbox.first { $0.subject == subject }?.flags
                }
                #expect(flags("far flag") == ["\\Flagged", "\\Answered"])
                #expect(flags("near flag") == ["\\Seen", "\\Flagged"])
                #expect(flags("both flag") == ["\\Seen", "\\Draft"])
                #expect(flags("near new") == [])
                if way.isInFolder { expectSame(try kept(folder.path), far) }

                // A third run has nothing to do.
                let before = try await states(sandbox)
                try await home.succeed(command)
                #expect(try await states(sandbox) == before)
                expectSame(try near(mail), far)
            }
        }
    }

    private func changeFar(_ sandbox: Sandbox) async throws {
        let imap = try await IMAPDialogue.open(sandbox)
        _ = try await imap.run("CREATE Work/2026")
        try await imap.append(Letters.utf8, to: "Work/2026", flags: "\\Seen")
        _ = try await imap.run("DELETE Junk")
        _ = try await imap.run("SELECT INBOX")
        _ = try await imap.run("UID STORE 2 +FLAGS (\\Flagged \\Answered)")
        _ = try await imap.run("UID STORE 8 +FLAGS (\\Seen)")
        _ = try await imap.run("UID STORE 3,9 +FLAGS (\\Deleted)")
        _ = try await imap.run("EXPUNGE")
        #expect(try await imap.run("UID MOVE 4 Archive").last?.hasPrefix("OK") == true)
        await imap.close()
    }

    private func changeNear(_ mail: String) throws {
        var inbox = try LocalMaildir(mail + "/INBOX")
        var archive = try LocalMaildir(mail + "/Archive")
        try inbox.add(Letters.asFile(Letters.letter("near new", "New.\n")))
        try inbox.setFlags("FS", ofSubject: "near flag")
        try inbox.setFlags("D", ofSubject: "both flag")
        try inbox.remove(subject: "near gone")
        try inbox.remove(subject: "both gone")
        try inbox.move(subject: "near moves", to: &archive)
        var made = try LocalMaildir(mail + "/Near")
        try made.add(Letters.asFile(Letters.dots))
    }

    /// Numbers that change with each change.
    private func states(_ sandbox: Sandbox) async throws -> [String] {
        let imap = try await IMAPDialogue.open(sandbox)
        var states: [String] = []
        for name in try await imap.mailboxes() {
            states += try await imap.run(
                "STATUS \"\(name)\" (MESSAGES UIDNEXT UIDVALIDITY HIGHESTMODSEQ)")
        }
        await imap.close()
        return states
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.isync, sandbox) { home in
                let result = try await home.run(
                    command(home, sandbox, authority: home.wrongAuthority))
                #expect(result.status == 1 && result.errors.contains("certificate"), "\(result)")
            }
        }
    }
}
