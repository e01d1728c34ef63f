import Foundation
import MartletTestSupport
import Testing

@Suite("martlet parse")
struct ParseTests {
    static let message = """
        From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>
        Sender: office@example.com
        Reply-To: team: x@example.com, nobody;, hidden:;
        To: a@example.org, "B, C" <b@example.org>
        Subject: =?utf-8?b?R3LDvMOfZQ==?=
         from me
        Date: Mon, 30 Nov 2026 03:22:55 +0100
        Message-ID: <1@example.com>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/plain; charset=iso-8859-1
        Content-Transfer-Encoding: quoted-printable

        Gr=FC=DFe
        --b
        Content-Type: application/octet-stream; name="a/../plan.bin"
        Content-Transfer-Encoding: base64
        Content-Disposition: attachment

        AAECAw==
        --b
        Content-Type: message/rfc822

        Subject: inner

        inside
        """

    @Test("shows fields, parts and defects to a person")
    func report() async throws {
        let result = try await Martlet.run(["parse"], input: Self.message)
        #expect(result.status == 0 && result.errors == "")
        try expectGolden(result.output, "parse.txt")
    }

    @Test("prints JSON as agreed, and as its schema says")
    func json() async throws {
        let result = try await Martlet.run(["parse", "--json", "-"], input: Self.message)
        #expect(result.status == 0)
        try expectGolden(result.output, "parse.json")
        let schema = try await Martlet.run(["parse", "--schema"])
        try expectGolden(schema.output, "parse.schema.json")
        try JSONSchema(schema.output).check(result.output)
    }

    @Test(
        "prints JSON as its schema says, whatever it reads",
        arguments: [
            "", "no header", "\u{1}\u{2}: \u{7F}\n\n", "Subject: =?utf-8?q?=00=1B[2J?=\n\nx",
            "Date: 99\nFrom: <\nTo: ,,,\nContent-Type: multipart/mixed\n\n--\n--b\n\n",
        ])
    func oddInput(input: String) async throws {
        let result = try await Martlet.run(["parse", "--json"], input: input)
        #expect(result.status == 0)
        let schema = try await Martlet.run(["parse", "--schema"])
        try JSONSchema(schema.output).check(result.output)
        for mode in ["--text", "--headers"] {
            let shown = try await Martlet.run(["parse", mode], input: input)
            #expect(shown.status == 0)
            #expect(!shown.output.contains("\u{1B}"))
        }
    }

    @Test("writes the decoded body of a part, octet for octet")
    func part() async throws {
        let folder = try TemporaryFolder("parse")
        defer { folder.remove() }
        let path = folder.path + "/message.eml"
        try Self.message.write(toFile: path, atomically: true, encoding: .utf8)
        let file = try await Martlet.run(["parse", "--part", "2", path])
        #expect(file.status == 0)
        #expect(Array(file.output.utf8) == [0, 1, 2, 3])
        let inner = try await Martlet.run(["parse", "-p", "3", path])
        #expect(inner.output == "Subject: inner\n\ninside")
        let body = try await Martlet.run(["parse", "-p", "3.1", path])
        #expect(body.output == "inside")
    }

    @Test("says which parts there are where one is missing")
    func missing() async throws {
        let result = try await Martlet.run(["parse", "--part", "7"], input: Self.message)
        #expect(result.status == 65)
        #expect(
            result.errors
                == "martlet: there is no part 7; the message has TEXT, 1, 2, 3, 3.1.\n")
    }

    @Test("prints what a person would read, and the fields a line each")
    func text() async throws {
        let text = try await Martlet.run(["parse", "--text"], input: Self.message)
        #expect(text.output == "Grüße\n")
        let headers = try await Martlet.run(["parse", "--headers"], input: Self.message)
        #expect(headers.output.contains("Subject: Grüße from me\n"))
        #expect(headers.output.contains("From: Jürgen <juergen@example.com>\n"))
        let html = try await Martlet.run(
            ["parse", "--text"], input: "Content-Type: text/html\n\n<p>Hello <b>you</b></p>")
        #expect(html.output == "Hello you\n")
        #expect(html.errors == "")
        let nothing = try await Martlet.run(
            ["parse", "--text"], input: "Content-Type: image/png\n\nx")
        #expect(nothing.status == 0 && nothing.output == "")
        #expect(nothing.errors == "martlet: the message has no text.\n")
    }

    @Test("prints all of a long HTML message, with what it quotes and the text behind it")
    func longText() async throws {
        let words = String(repeating: "<p>word</p>\n", count: 40_000)
        let message =
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n" + words
            + "<blockquote>quoted</blockquote>\n--b\n\nfooter\n--b--\n"
        let text = try await Martlet.run(["parse", "--text"], input: message)
        #expect(
            text.output == String(repeating: "word\n\n", count: 40_000)
                + "> quoted\nfooter\n")
    }

    @Test("keeps marks of direction in what goes to no terminal, but no control characters")
    func directions() async throws {
        let result = try await Martlet.run(
            ["parse", "--text"],
            input:
                "Content-Type: text/plain; charset=utf-8\n\n\u{202E}a\u{200F}\u{1B}[2J\u{9B}\tb\n")
        #expect(result.output == "\u{202E}a\u{200F}?[2J?\tb\n")
    }

    @Test("lists files that are inside of a text, and writes them")
    func files() async throws {
        let input = "Subject: x\n\nsee\nbegin 644 ../cat.txt\n#0V%T\n`\nend\n"
        let report = try await Martlet.run(["parse"], input: input)
        #expect(
            report.output.contains(
                "Files:\n  1        cat.txt, text/plain, 3 octets, inside of 1\n"))
        let file = try await Martlet.run(["parse", "--file", "1"], input: input)
        #expect(file.status == 0 && file.output == "Cat")
        for number in ["0", "2", "x", "-9223372036854775808"] {
            let missing = try await Martlet.run(["parse", "--file=\(number)"], input: input)
            #expect(missing.status == 65)
            #expect(
                missing.errors == "martlet: there is no file \(number); the message has 1 file.\n")
        }
    }

    @Test(
        "fails where its result cannot be written",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no full device"),
        arguments: ["--json", "--text", "--schema", "--help"])
    func lostResult(option: String) async throws {
        let result = try await Subprocess.run(
            "/bin/sh", ["-c", "exec \"$0\" parse \(option) >/dev/full", Martlet.path],
            input: Array(Self.message.utf8), environment: Martlet.complete([:]))
        #expect(result.status == 74)
        #expect(result.errors.contains("the result could not be written: No space left on device"))
    }

    @Test(
        "says once that its result cannot be written, however large it is",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no full device"))
    func lostFile() async throws {
        let message =
            "Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\n"
            + String(repeating: "QUJD\n", count: 200_000)
        let result = try await Subprocess.run(
            "/bin/sh", ["-c", "exec \"$0\" parse --file 1 >/dev/full", Martlet.path],
            input: Array(message.utf8), environment: Martlet.complete([:]))
        #expect(result.status == 74)
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test("waits where somebody has made the pipe non-blocking", .python("os"))
    func nonBlockingPipe() async throws {
        let script = """
            import os, subprocess, sys, time
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            child = subprocess.Popen([sys.argv[1], "parse", "--part", "1"], stdout=writer)
            os.close(writer)
            size = 0
            while piece := os.read(reader, 65536): size += len(piece)
            print(child.wait(), size)
            """
        let message = "A: b\n\n" + String(repeating: "x", count: 1_000_000)
        let result = try await Subprocess.run(
            "/usr/bin/env", ["python3", "-c", script, Martlet.path], input: Array(message.utf8),
            environment: Martlet.complete([:]))
        #expect(result.output == "0 1000000\n", "\(result.errors)")
    }

    @Test("wants one kind of output, and a file that is there")
    func usage() async throws {
        let two = try await Martlet.run(["parse", "--json", "--text"], input: "")
        #expect(two.status == 64)
        let gone = try await Martlet.run(["parse", "/nonexistent/message.eml"])
        #expect(gone.status == 66)
        #expect(gone.errors.contains("/nonexistent/message.eml"))
    }
}

/// As much of JSON Schema as the command's own schema uses.
private struct JSONSchema {
    private let root: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        root = try #require(value as? [String: Any])
    }

    func check(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(
            with: Data(text.utf8), options: .fragmentsAllowed)
        try check(value, root, at: "$")
    }

    private func check(_ value: Any, _ schema: [String: Any], at path: String) throws {
        if let reference = schema["$ref"] as? String {
            let definitions = try #require(root["$defs"] as? [String: Any])
            let name = String(reference.split(separator: "/").last ?? "")
            let definition = try #require(definitions[name] as? [String: Any])
            return try check(value, definition, at: path)
        }
        if let allowed = schema["enum"] as? [String] {
            #expect(allowed.contains(value as? String ?? ""), "\(path)")
        }
        if let type = schema["type"] {
            let types = type as? [String] ?? [type as? String ?? ""]
            #expect(types.contains { isOfType(value, $0) }, "\(path) is no \(types): \(value)")
        }
        if let minimum = schema["minimum"] as? Int, let number = value as? Int {
            #expect(number >= minimum, "\(path)")
        }
        if let object = value as? [String: Any] {
            for name in schema["required"] as? [String] ?? [] {
                #expect(object[name] != nil, "\(path).\(name) is missing")
            }
            let properties = try #require(schema["properties"] as? [String: Any], "\(path)")
            for (name, member) in object {
                let known = try #require(properties[name] as? [String: Any], "\(path).\(name)")
                try check(member, known, at: "\(path).\(name)")
            }
        }
        if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, item) in array.enumerated() {
                try check(item, items, at: "\(path)[\(index)]")
            }
        }
    }

    private func isOfType(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "integer": value is Int
        case "boolean": value is Bool
        case "null": value is NSNull
        default: false
        }
    }
}
