import Foundation
import MartletBytes
import MartletCLI
import MartletSandbox
import MartletTransport
import Testing

@testable import MartletSandboxCommand

@Suite("HTTP interface of the sandbox", .timeLimit(.minutes(1)))
struct ControlTests {
    @Test("tells ports, paths and what can be asked")
    func overview() async throws {
        try await withControl { _, control in
            let answer = try await control.ask("GET /api")
            let json = try answer.json()
            #expect(
                answer.status == 200 && answer.fields.contains("content-type: application/json"))
            #expect((json["sandbox"] as? [String: Any])?["caFile"] as? String == "ca.pem")
            #expect((json["ways"] as? [Any])?.isEmpty == false)
        }
    }

    @Test("lists what came, by recipient, sender, subject and ID")
    func lists() async throws {
        try await withControl { sandbox, control in
            try await sandbox.take(
                "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\none\n", to: "bob@example.test")
            try await sandbox.take("Subject: Other\n\ntwo\n", to: "carol@example.org")
            func ids(_ query: String) async throws -> [Int] {
                let json = try await control.ask("GET /api/messages" + query).json()
                return (json["messages"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
            }
            #expect(try await ids("") == [1, 2])
            #expect(try await ids("?to=bob") == [1])
            #expect(try await ids("?to=CAROL@example.org") == [2])
            #expect(try await ids("?from=alice") == [1, 2])
            #expect(try await ids("?subject=gr%C3%BC%C3%9Fe") == [1])
            #expect(try await ids("?after=1") == [2])
            #expect(try await ids("?to=nobody") == [])
            for wrong in ["?too=bob", "?after=x"] {
                let answer = try await control.ask("GET /api/messages" + wrong)
                #expect(answer.status == 400 && answer.errorKind == "invalidQuery")
            }
        }
    }

    @Test("shows one message: what it says, what it is made of, and its octets")
    func one() async throws {
        try await withControl { sandbox, control in
            let text = """
                Subject: Hi
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/html; charset=iso-8859-1
                Content-Transfer-Encoding: quoted-printable

                <p>Gr=FC=DFe</p>
                --b
                Content-Type: image/svg+xml; name=a.svg
                Content-Disposition: attachment

                <svg onload="alert(1)"/>
                --b--

                """
            try await sandbox.take(text, to: "bob@example.test")
            let json = try await control.ask("GET /api/messages/1").json()
            #expect(json["subject"] as? String == "Hi")
            #expect((json["text"] as? String)?.contains("Grüße") == true)
            #expect((json["html"] as? String)?.contains("<p>Grüße</p>") == true)
            #expect((json["message"] as? [String: Any])?["files"] is [Any])

            let source = try await control.ask("GET /api/messages/1/source")
            #expect(source.fields.contains("content-type: message/rfc822"))
            #expect(source.body == text.replacing("\n", with: "\r\n"))
            let html = try await control.ask("GET /api/messages/1/html")
            #expect(html.fields.contains("content-type: text/html; charset=utf-8"))
            // Nothing in a message runs in a browser, whoever sent it.
            let part = try await control.ask("GET /api/messages/1/parts/2")
            #expect(part.body.contains("<svg"))
            for answer in [html, part] {
                #expect(
                    answer.fields.contains("content-security-policy: default-src 'none'; sandbox"))
                #expect(answer.fields.contains("x-content-type-options: nosniff"))
            }
            for (path, kind) in [
                ("2", "noSuchMessage"), ("0x1", "noSuchMessage"), ("1/parts/7", "noSuchPart"),
                ("1/parts", "noSuchPath"), ("1/source/x", "noSuchPath"),
            ] {
                let answer = try await control.ask("GET /api/messages/" + path)
                #expect(answer.status == 404 && answer.errorKind == kind, "\(path): \(answer.body)")
            }
        }
    }

    @Test("forgets all messages")
    func forgets() async throws {
        try await withControl { sandbox, control in
            try await sandbox.take("Subject: Hi\n\n", to: "bob@example.test")
            #expect(try await control.ask("DELETE /api/messages").status == 204)
            #expect(await sandbox.messages.isEmpty)
            #expect(try await control.ask("PUT /api/messages").status == 405)
        }
    }

    @Test(
        "answers to this machine's names only, and to no page of another site",
        arguments: [
            ("localhost:8025", nil, 200), ("127.0.0.1", nil, 200), ("[::1]:1", nil, 200),
            ("LOCALHOST", "http://localhost", 200), ("mail:8025", nil, 200),
            ("localhost:8025", "http://localhost:8025", 200),
            ("example.com", nil, 403), ("localhost.example.com", nil, 403), ("", nil, 403),
            ("localhost:8025", "http://example.com", 403), ("localhost:8025", "null", 403),
            ("localhost:8025", "http://localhost:3000", 403),
        ] as [(String, String?, Int)])
    func guards(host: String, origin: String?, status: Int) async throws {
        try await withControl { sandbox, control in
            try await sandbox.take("Subject: Hi\n\n", to: "bob@example.test")
            let answer = try await control.ask("DELETE /api/messages", host: host, origin: origin)
            #expect(answer.status == (status == 200 ? 204 : status))
            #expect(await sandbox.messages.isEmpty == (status == 200))
        }
    }

    @Test("waits for a message, and says what came instead when none comes")
    func waits() async throws {
        try await withControl { sandbox, control in
            async let waiting = control.ask("GET /api/messages/wait?to=bob&timeout=20")
            try await sandbox.take("Subject: Other\n\n", to: "carol@example.test")
            try await sandbox.take("Subject: Hi\n\n", to: "bob@example.test")
            let answer = try await waiting
            #expect(try answer.status == 200 && answer.json()["subject"] as? String == "Hi")
            let late = try await control.ask("GET /api/messages/wait?to=dave&timeout=0.1")
            #expect(late.status == 404 && late.errorKind == "noSuchMessage")
            #expect(late.body.contains("carol@example.test"))
            for wrong in [
                "timeout=-1", "timeout=x", "timeout=1e9", "timeout=nan", "timeout=inf",
                "timeout=1e300",
            ] {
                let answer = try await control.ask("GET /api/messages/wait?" + wrong)
                #expect(answer.status == 400, "\(wrong)")
            }
        }
    }

    @Test("places faults, counts them, takes them away, and refuses what is none")
    func faults() async throws {
        try await withControl { sandbox, control in
            let fault = "// later\n{command: 'RCPT', times: 1, reply: '550 5.1.1 No',}"
            let placed = try await control.ask("POST /api/faults", body: fault)
            #expect(placed.status == 201)
            await #expect(throws: (any Error).self) {
                try await sandbox.take("Subject: Hi\n\n", to: "bob@example.test")
            }
            try await sandbox.take("Subject: Hi\n\n", to: "bob@example.test")
            let list = try await control.ask("GET /api/faults").json()
            let rows = try #require(list["faults"] as? [[String: Any]])
            #expect(rows.count == 1 && rows[0]["strikes"] as? Int == 1)
            for wrong in [
                "", "{", "{reply: '250 Yes', cut: 1}", "[{command: 'RCPT'}]", "{reply: 5}",
            ] {
                let answer = try await control.ask("PUT /api/faults", body: wrong)
                #expect(answer.status == 400 && answer.errorKind == "invalidFault", "\(wrong)")
            }
            #expect(sandbox.faults.count == 1)
            #expect(try await control.ask("DELETE /api/faults/99").status == 404)
            #expect(try await control.ask("DELETE /api/faults").status == 204)
            #expect(sandbox.faults.isEmpty)
        }
    }

    @Test("shows mailboxes with their flags, puts messages into them, and starts anew")
    func mailboxes() async throws {
        try await withControl { sandbox, control in
            let path = "/api/users/bob/mailboxes/Work%2FNew"
            let put = try await control.ask(
                "POST \(path)?flags=%5CSeen,mine", body: "Subject: Put\r\n\r\nx\r\n")
            #expect(try put.status == 201 && put.json()["uid"] as? Int == 1)
            let one = try await control.ask("GET \(path)").json()
            let messages = try #require(one["messages"] as? [[String: Any]])
            #expect(messages[0]["flags"] as? [String] == ["\\Seen", "mine"])
            #expect(messages[0]["subject"] as? String == "Put")
            let all = try await control.ask("GET /api/users/bob/mailboxes").json()
            #expect((all["mailboxes"] as? [[String: Any]])?.first?["name"] as? String == "INBOX")
            for (line, status) in [
                ("GET /api/users/bob/mailboxes/None", 404), ("GET /api/users/bob", 404),
                ("POST \(path)?flag=x", 400), ("POST \(path)?flags=%7B", 400),
                ("POST /api/users/bob/mailboxes/a//b", 409), ("DELETE \(path)", 405),
            ] {
                #expect(try await control.ask(line).status == status, "\(line)")
            }
            #expect(try await control.ask("POST /api/reset").status == 204)
            #expect(try await control.ask("GET \(path)").status == 404)
        }
    }
}
