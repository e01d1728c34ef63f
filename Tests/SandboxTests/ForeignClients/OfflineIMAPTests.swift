import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite("Sandbox and OfflineIMAP", .needs(.offlineIMAP), .timeLimit(.minutes(2)))
struct OfflineIMAPTests {
    private func command(
        _ home: ClientHome, _ sandbox: Sandbox, authority: String? = nil
    ) throws -> [String] {
        let file = try home.write(
            """
            [general]
            accounts = it
            metadata = \(home.path)/meta
            ui = basic
            socktimeout = 20
            fsync = False
            [Account it]
            localrepository = near
            remoterepository = far
            [Repository near]
            type = Maildir
            localfolders = \(home.path)/mail
            sync_deletes = yes
            [Repository far]
            type = IMAP
            remotehost = localhost
            remoteport = \(sandbox.ports.imaps ?? 0)
            remoteuser = alice
            remotepass = secret
            ssl = yes
            sslcacertfile = \(authority ?? home.authority)
            maxconnections = 1
            """, to: "offlineimaprc")
        return ["offlineimap", "-c", file, "-o"]
    }

    // Not over STARTTLS: imaplib2 then waits for ever now and then, with Dovecot as well.
    @Test("both sides are the same after changes on both")
    func syncs() async throws {
        try await withSandbox { sandbox in
            try await sandbox.fill()
            try await ClientHome.with(.offlineIMAP, sandbox) { home in
                let command = try command(home, sandbox)
                try await home.succeed(command)
                var near = try LocalMaildir(home.path + "/mail/INBOX")
                #expect(try near.summary() == (try await sandbox.letters()).summary)
                // Far: a new one, a flag, one less. Near: a new one, a flag, one less.
                let imap = try await IMAPDialogue.open(sandbox)
                try await imap.append(Letters.letter("far", "Far.\n"), to: "Archive")
                _ = try await imap.run("SELECT INBOX")
                _ = try await imap.run("UID STORE 1 +FLAGS (\\Flagged)")
                _ = try await imap.run("UID STORE 2 +FLAGS (\\Deleted)")
                _ = try await imap.run("EXPUNGE")
                await imap.close()
                try near.add(Letters.asFile(Letters.letter("near", "Near.\n")))
                try near.setFlags("S", ofSubject: "long")
                try near.remove(subject: "Grüße 🐦")
                for _ in 0..<2 { try await home.succeed(command) }
                let served = try await sandbox.letters()
                #expect(served.map(\.subject).sorted() == ["long", "near", "plain"])
                #expect(try near.summary() == served.summary)
                let archive = try LocalMaildir(home.path + "/mail/Archive")
                #expect(
                    try archive.summary() == (try await sandbox.letters(in: "Archive")).summary)
            }
        }
    }

    @Test("does not trust another authority")
    func distrusts() async throws {
        try await withSandbox { sandbox in
            try await ClientHome.with(.offlineIMAP, sandbox) { home in
                let result = try await home.run(
                    command(home, sandbox, authority: home.wrongAuthority))
                #expect(
                    result.status != 0 || result.errors.contains("CERTIFICATE_VERIFY_FAILED"),
                    "\(result)")
                #expect(!fileExists(home.path + "/mail/INBOX"))
            }
        }
    }
}

func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
