import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

@Suite("Sandbox and IMAPClient", .needs(.imapClient), .timeLimit(.minutes(2)))
struct ForeignIMAPClientTests {
    @Test("does a mailbox's ordinary work, its extensions, and waits for news")
    func works() async throws {
        try await withSandbox({ $0.users = ["alice": Secret("secret")] }) { sandbox in
            try await ClientHome.with(.imapClient, sandbox) { home in
                try await PythonTests.run(
                    """
                    import datetime, imapclient, smtplib
                    from imapclient import IMAPClient
                    box = IMAPClient("localhost", imaps, ssl=True, ssl_context=trust, timeout=20)
                    refuses(lambda: box.login("alice", "wrong"), imapclient.exceptions.LoginError)
                    box.login("alice", "secret")
                    for capability in ["IDLE", "MOVE", "UIDPLUS", "CONDSTORE", "QUOTA", "SORT", "NAMESPACE", "ENABLE"]:
                        assert box.has_capability(capability), capability
                    same(box.namespace().personal, (("", "/"),))
                    box.create_folder("Überblick/2026")
                    same(sorted(name for flags, delimiter, name in box.list_folders() if name[0] == "Ü"), ["Überblick", "Überblick/2026"])
                    same(box.find_special_folder(b"\\\\Sent"), "Sent")
                    now = datetime.datetime(2026, 11, 30, 10, 0, 0)
                    for letter in letters:
                        assert b"APPENDUID" in box.append("Überblick/2026", letter, flags=[imapclient.SEEN, b"$Label"], msg_time=now)
                    info = box.select_folder("Überblick/2026")
                    same((info[b"EXISTS"], info[b"UIDNEXT"], info[b"READ-WRITE"]), (4, 5, True))
                    found = box.fetch([1, 2, 3, 4], ["BODY.PEEK[]", "RFC822.SIZE", "FLAGS", "INTERNALDATE", "ENVELOPE", "BODYSTRUCTURE"])
                    same([found[uid][b"BODY[]"] for uid in range(1, 5)], letters)
                    same([found[uid][b"RFC822.SIZE"] for uid in range(1, 5)], [len(letter) for letter in letters])
                    same(found[1][b"INTERNALDATE"], now)
                    same(found[1][b"ENVELOPE"].subject, b"plain")
                    same(found[1][b"ENVELOPE"].from_[0].host, b"example.com")
                    same(found[3][b"BODYSTRUCTURE"][0:2], (b"text", b"plain"))
                    same(box.search(["SUBJECT", "Grüße"], "UTF-8"), [3])
                    same(box.sort("REVERSE DATE"), box.sort(["REVERSE", "DATE"]))
                    box.thread()
                    same(box.add_flags([1], [imapclient.FLAGGED])[1], (imapclient.SEEN, b"$Label", imapclient.FLAGGED))
                    box.copy([1], "Archive")
                    box.move([2], "Trash")
                    box.delete_messages([3])
                    box.uid_expunge([3])
                    same(box.search(), [1, 4])
                    same(box.folder_status("Trash", ["MESSAGES", "UIDNEXT"]), {b"MESSAGES": 1, b"UIDNEXT": 2})
                    assert box.get_quota()[0].usage >= 0
                    box.rename_folder("Überblick/2026", "Done")
                    box.delete_folder("Überblick")
                    box.select_folder("INBOX")
                    box.idle()
                    with smtplib.SMTP("localhost", smtp, timeout=20) as server:
                        server.sendmail("ann@example.com", "alice@example.test", letters[0])
                    news = box.idle_check(timeout=20)
                    assert (1, b"EXISTS") in news, news
                    box.idle_done()
                    box.unselect_folder()
                    box.logout()
                    refuses(lambda: IMAPClient("localhost", imaps, ssl=True, ssl_context=distrust, timeout=20), ssl.SSLCertVerificationError)
                    plain = IMAPClient("localhost", imap, ssl=False, timeout=20)
                    plain.starttls(trust)
                    plain.plain_login("alice", "secret")
                    same(plain.select_folder("Done", readonly=True)[b"EXISTS"], 2)
                    plain.shutdown()
                    """, home, sandbox)
                let done = try await sandbox.letters(in: "Done")
                #expect(done.map(\.octets) == [Letters.plain, Letters.long])
                #expect(done.first?.flags == ["\\Seen", "$Label", "\\Flagged"])
                #expect(try await sandbox.letters(in: "Trash").map(\.octets) == [Letters.dots])
            }
        }
    }
}
