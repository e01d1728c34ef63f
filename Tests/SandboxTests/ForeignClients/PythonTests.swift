import MartletBytes
import MartletSandbox
import MartletTestSupport
import Testing

/// What Python's libraries say is checked by Python; what the sandbox then holds is checked here.
@Suite("Sandbox and Python", .needs(.python), .timeLimit(.minutes(2)))
struct PythonTests {
    /// Runs a script that knows the ports, a TLS context that trusts the sandbox, and the messages.
    static func run(
        _ script: String, _ home: ClientHome, _ sandbox: Sandbox,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        for (index, letter) in Letters.all.enumerated() {
            try home.write(letter, to: "letter\(index)")
        }
        let ports = sandbox.ports
        let file = try home.write(
            """
            import ssl
            smtp, submission, smtps, lmtp = \(ports.smtp ?? 0), \(ports.submission ?? 0), \(ports.smtps ?? 0), \(ports.lmtp ?? 0)
            imap, imaps, pop3, pop3s = \(ports.imap ?? 0), \(ports.imaps ?? 0), \(ports.pop3 ?? 0), \(ports.pop3s ?? 0)
            trust = ssl.create_default_context(cafile="\(home.authority)")
            distrust = ssl.create_default_context(cafile="\(home.wrongAuthority)")
            letters = [open(f"letter{number}", "rb").read() for number in range(\(Letters.all.count))]
            def same(found, wanted):
                assert found == wanted, f"{found!r} is not {wanted!r}"
            def refuses(action, *errors):
                try:
                    action()
                except errors as error:
                    return error
                raise AssertionError(f"{errors} did not come")

            """ + script + "\n", to: "script.py")
        try await home.succeed(["/usr/bin/python3", file], at: location)
    }

    private func withPython(
        _ body: (ClientHome, Sandbox) async throws -> Void
    ) async throws {
        try await withSandbox({
            $0.users = ["alice": Secret("secret"), "bob": Secret("secret")]
        }) { sandbox in
            try await ClientHome.with(.python, sandbox) { try await body($0, sandbox) }
        }
    }

    @Test("smtplib sends over STARTTLS and TLS, after each login that it has")
    func smtplib() async throws {
        try await withPython { home, sandbox in
            try await Self.run(
                """
                import smtplib
                def send(server, letter):
                    same(server.sendmail("ann@example.com", ["alice@example.test", "bob@example.test"], letter), {})
                with smtplib.SMTP("localhost", submission, "client.example.com", timeout=20) as server:
                    server.starttls(context=trust)
                    server.ehlo()
                    assert server.has_extn("size") and server.has_extn("smtputf8")
                    refuses(lambda: server.login("alice", "wrong"), smtplib.SMTPAuthenticationError)
                    server.login("alice", "secret")
                    send(server, letters[0])
                    send(server, letters[1])
                    same(server.verify("alice")[0] in (250, 252), True)
                    same(server.rset()[0], 250)
                    same(server.noop()[0], 250)
                for mechanism in ["auth_plain", "auth_login", "auth_cram_md5"]:
                    with smtplib.SMTP_SSL("localhost", smtps, timeout=20, context=trust) as server:
                        server.user, server.password = "bob", "secret"
                        server.ehlo()
                        name = mechanism[5:].replace("_", "-").upper()
                        assert name in server.esmtp_features["auth"].split()
                        code, words = server.auth(name, getattr(server, mechanism))
                        same(code, 235)
                        send(server, letters[2])
                from email.message import EmailMessage
                message = EmailMessage()
                message["From"], message["To"], message["Subject"] = "ann@example.com", "jürgen@example.test", "Größe"
                message.set_content("Größe\\n")
                with smtplib.SMTP("localhost", smtp, timeout=20) as server:
                    server.send_message(message)
                refuses(lambda: smtplib.SMTP_SSL("localhost", smtps, timeout=20, context=distrust), ssl.SSLCertVerificationError)
                """, home, sandbox)
            let kept = await sandbox.messages(of: "alice@example.test")
            #expect(
                kept.map(\.octets)
                    == [Letters.plain, Letters.dots] + [1, 2, 3].map { _ in Letters.utf8 })
            #expect(kept.map { $0.user?.prefix(1) } == ["a", "a", "b", "b", "b"])
            #expect(await sandbox.messages(of: "jürgen@example.test").count == 1)
        }
    }

    @Test("smtplib delivers by LMTP")
    func lmtp() async throws {
        try await withPython { home, sandbox in
            try await Self.run(
                """
                import smtplib
                with smtplib.LMTP("localhost", lmtp, "client.example.com") as server:
                    for letter in letters:
                        same(server.sendmail("", ["alice@example.test", "bob@example.test"], letter), {})
                        # sendmail reads the first reply only: the second one is the next that it reads.
                        same(server.getreply()[0], 250)
                """, home, sandbox)
            for user in ["alice", "bob"] {
                #expect(try await sandbox.letters(of: user).map(\.octets) == Letters.all)
            }
        }
    }

    @Test("imaplib does a mailbox's ordinary work")
    func imaplib() async throws {
        try await withPython { home, sandbox in
            try await Self.run(
                """
                import imaplib, time
                def ok(answer):
                    assert answer[0] == "OK", answer
                    return answer[1]
                box = imaplib.IMAP4("localhost", imap, timeout=20)
                assert "STARTTLS" in box.capabilities
                ok(box.starttls(trust))
                refuses(lambda: box.login("alice", "wrong"), imaplib.IMAP4.error)
                ok(box.login("alice", "secret"))
                ok(box.create("Work"))
                ok(box.subscribe("Work"))
                assert any(b'"/" Work' in line for line in ok(box.list()))
                assert any(b'"/" Work' in line for line in ok(box.lsub()))
                for letter in letters:
                    ok(box.append("Work", r"(\\Seen $Label)", imaplib.Time2Internaldate(1796000000), letter))
                same(ok(box.select("Work")), [b"4"])
                found = ok(box.fetch("1:4", "(RFC822)"))
                same([pair[1] for pair in found if isinstance(pair, tuple)], letters)
                same(ok(box.search(None, "SUBJECT", '"dots"')), [b"2"])
                same(ok(box.uid("SEARCH", "CHARSET", "UTF-8", "KEYWORD", "$Label", "SEEN")), [b"1 2 3 4"])
                same(ok(box.sort("(REVERSE SUBJECT)", "UTF-8", "ALL")), [b"1 4 3 2"])
                same(ok(box.sort("(REVERSE ARRIVAL)", "UTF-8", "ALL")), [b"1 2 3 4"])
                assert len(ok(box.thread("REFERENCES", "UTF-8", "ALL"))[0]) > 0
                assert b"30-Nov-2026" in ok(box.fetch("1", "(INTERNALDATE)"))[0], "date"
                ok(box.store("1", "+FLAGS", r"(\\Flagged)"))
                ok(box.copy("1:2", "Archive"))
                ok(box.uid("MOVE", "3", "Trash"))
                ok(box.store("2", "+FLAGS.SILENT", r"(\\Deleted)"))
                same(ok(box.expunge())[-1], b"2")
                same(ok(box.status("Work", "(MESSAGES UNSEEN)")), [b"Work (MESSAGES 2 UNSEEN 0)"])
                ok(box.namespace())
                ok(box.getquotaroot("INBOX"))
                ok(box.noop())
                ok(box.check())
                ok(box.close())
                ok(box.rename("Work", "Done"))
                ok(box.enable("UTF8=ACCEPT"))
                ok(box.select('"Done"', readonly=True))
                assert box.fetch("1", "(BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1][0][1].startswith(b"Subject: plain")
                same(box.logout()[0], "BYE")
                secure = imaplib.IMAP4_SSL("localhost", imaps, ssl_context=trust, timeout=20)
                ok(secure.authenticate("PLAIN", lambda _: b"\\0bob\\0secret"))
                secure.logout()
                secure = imaplib.IMAP4_SSL("localhost", imaps, ssl_context=trust, timeout=20)
                ok(secure.login_cram_md5("bob", "secret"))
                secure.logout()
                refuses(lambda: imaplib.IMAP4_SSL("localhost", imaps, ssl_context=distrust, timeout=20), ssl.SSLCertVerificationError)
                """, home, sandbox)
            let done = try await sandbox.letters(in: "Done")
            #expect(done.map(\.octets) == [Letters.plain, Letters.long])
            #expect(
                done.map(\.flags) == [["\\Seen", "$Label", "\\Flagged"], ["\\Seen", "$Label"]])
            #expect(
                try await sandbox.letters(in: "Archive").map(\.octets) == [
                    Letters.plain, Letters.dots,
                ])
            #expect(try await sandbox.letters(in: "Trash").map(\.octets) == [Letters.utf8])
        }
    }

    @Test("poplib reads and deletes")
    func poplib() async throws {
        try await withPython { home, sandbox in
            try await sandbox.fill()
            try await Self.run(
                """
                import poplib
                def octets(lines): return b"".join(line + b"\\r\\n" for line in lines)
                box = poplib.POP3("localhost", pop3, timeout=20)
                assert "STLS" in box.capa()
                box.stls(trust)
                box.user("alice")
                refuses(lambda: box.pass_("wrong"), poplib.error_proto)
                box.user("alice")
                box.pass_("secret")
                same(box.stat(), (4, sum(map(len, letters))))
                same(box.list()[1], [b"%d %d" % (number + 1, len(letter)) for number, letter in enumerate(letters)])
                same([octets(box.retr(number)[1]) for number in range(1, 5)], letters)
                same(octets(box.top(1, 0)[1]), letters[0][:letters[0].index(b"\\r\\n\\r\\n") + 4])
                ids = [line.split()[1] for line in box.uidl()[1]]
                same(len(set(ids)), 4)
                box.dele(1)
                refuses(lambda: box.retr(1), poplib.error_proto)
                box.rset()
                box.dele(2)
                box.noop()
                box.quit()
                again = poplib.POP3_SSL("localhost", pop3s, context=trust, timeout=20)
                again.apop("alice", "secret")
                same([line.split()[1] for line in again.uidl()[1]], ids[:1] + ids[2:])
                # One who goes without a word deletes nothing.
                again.dele(1)
                again.close()
                refuses(lambda: poplib.POP3_SSL("localhost", pop3s, context=distrust, timeout=20), ssl.SSLCertVerificationError)
                """, home, sandbox)
            #expect(
                try await sandbox.letters().map(\.octets) == [
                    Letters.plain, Letters.utf8, Letters.long,
                ])
        }
    }

    @Test("aiosmtplib sends, several at once")
    func aiosmtplib() async throws {
        try await withPython { home, sandbox in
            try await Self.run(
                """
                import asyncio, aiosmtplib
                async def send(number):
                    client = aiosmtplib.SMTP(hostname="localhost", port=submission if number % 2 else smtps,
                        use_tls=not number % 2, start_tls=bool(number % 2), tls_context=trust, timeout=20)
                    async with client:
                        await client.login("alice", "secret")
                        errors, words = await client.sendmail("ann@example.com", ["bob@example.test"], letters[number % 4])
                        same(errors, {})
                        assert client.supports_extension("SIZE")
                async def main():
                    await asyncio.gather(*(send(number) for number in range(20)))
                    client = aiosmtplib.SMTP(hostname="localhost", port=smtps, use_tls=True, tls_context=distrust, timeout=20)
                    try:
                        await client.connect()
                    except aiosmtplib.SMTPConnectError:
                        return
                    raise AssertionError("the wrong authority was trusted")
                asyncio.run(main())
                """, home, sandbox)
            let kept = await sandbox.messages(of: "bob@example.test").map(\.octets)
            #expect(kept.count == 20)
            for letter in Letters.all { #expect(kept.count { $0 == letter } == 5) }
        }
    }
}
