import MartletCommandLineParsing
import MartletTestSupport
import Testing

@testable import MartletCLI

@Suite("Surface")
struct SurfaceTests {
    @Test(
        "help of every command is as agreed, however it is asked for",
        arguments: [
            [], ["send"], ["parse"], ["check"], ["check", "smtp"], ["check", "imap"], ["smtp"],
            ["smtp", "raw"], ["imap"], ["imap", "list"], ["imap", "status"], ["imap", "search"],
            ["imap", "fetch"], ["imap", "append"], ["imap", "flag"], ["imap", "move"],
            ["imap", "watch"], ["imap", "raw"], ["check", "pop3"], ["pop3"], ["pop3", "list"],
            ["pop3", "fetch"], ["pop3", "delete"], ["pop3", "raw"],
            ["frontmail"], ["frontmail", "send"], ["frontmail", "status"], ["sandbox"],
            ["completions"], ["manual"],
        ] as [[String]])
    func help(path: [String]) async throws {
        let asked = try await Martlet.run(["help"] + path)
        let option = try await Martlet.run(path + ["--help"])
        #expect(asked.status == 0 && option.status == 0)
        #expect(asked.output == option.output)
        #expect(asked.errors == "")
        try expectGolden(asked.output, "help\(path.map { "-" + $0 }.joined()).txt")
    }

    @Test("version is told")
    func version() async throws {
        let result = try await Martlet.run(["--version"])
        #expect(result.status == 0)
        #expect(result.output == "martlet \(Program.version)\n")
    }

    @Test("completions and manual are made of the whole table")
    func generated() async throws {
        for shell in Shell.allCases {
            let result = try await Martlet.run(["completions", shell.rawValue])
            #expect(result.status == 0)
            #expect(result.output.contains("--password-command") || shell == .fish)
            #expect(result.output.contains("password-command"))
        }
        let manual = try await Martlet.run(["manual"])
        #expect(manual.status == 0)
        try expectGolden(manual.output, "martlet.1")
    }

    @Test("every command of the table runs, and no help line is longer than a terminal is wide")
    func complete() {
        for (path, _) in leaves(of: Program.table.root) {
            #expect(Program.runners[path.joined(separator: " ")] != nil, "\(path)")
            let help = Program.table.help(for: path) ?? ""
            for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    private func leaves(
        of command: CommandDefinition, at path: [String] = []
    ) -> [(path: [String], command: CommandDefinition)] {
        command.subcommands.isEmpty
            ? [(path, command)]
            : command.subcommands.flatMap { leaves(of: $0, at: path + [$0.name]) }
    }
}

@Suite("JSON")
struct JSONTextTests {
    @Test("escapes what must not stand in a string")
    func escapes() {
        let text = JSONText.object([
            ("a\"b", "q\"\\\n\r\t\u{1}\u{7F}\u{2028}ü🦜"), ("n", nil), ("b", false), ("i", -3),
            ("l", .array([1, "x", .object([])])), ("ms", .milliseconds(.microseconds(12_034))),
        ]).text
        #expect(
            text == #"{"a\"b":"q\"\\\n\r\t\u0001\u007f\u2028ü🦜","n":null,"b":false,"i":-3,"#
                + #""l":[1,"x",{}],"ms":12.034}"#)
    }
}

@Suite("Output")
struct OutputTests {
    @Test("holds nothing that a terminal would obey")
    func printable() {
        let text = "a\u{1B}[31m\u{9B}1m\u{202E}b\u{2066}\tc\nü"
        #expect(Console.printable(text) == "a?[31m?1m?b?\tc\nü")
        #expect(
            Console.printable(text, keepsDirections: true) == "a?[31m?1m\u{202E}b\u{2066}\tc\nü")
        let harmless = "\u{200E}א\u{200F}ا\u{61C}\u{2027}\u{202F}\u{2065}\u{206A}\u{A0}é🦜"
        #expect(Console.printable(harmless) == harmless)
        for value in (UInt32(0)...0x10FFFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isMasked = Console.printable(String(scalar)) == "?" && scalar != "?"
            let isDirection = (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
            let isControl = scalar.properties.generalCategory == .control
            let shallBe = isDirection || isControl && scalar != "\n" && scalar != "\t"
            if isMasked != shallBe { Issue.record("U+\(String(value, radix: 16))") }
        }
        #expect(
            JSONText.string(text).text
                == #""a\u001b[31m\u009b1m\u202eb\u2066\tc\nü""#)
    }

    @Test("goes nowhere when standard input, output and errors are closed")
    func closedDescriptors() async throws {
        let result = try await Subprocess.run(
            "/bin/sh",
            [
                "-c",
                "exec 3>&1; \"$0\" smtp raw --server 127.0.0.1:1 --tls plaintext <&- >&- 2>&-; "
                    + "echo $? >&3; \"$0\" send --server 127.0.0.1:1 --tls plaintext "
                    + "--from a@example.test --to b@example.test <&-; echo $? >&3", Martlet.path,
            ],
            input: [], environment: Martlet.complete([:]))
        #expect(result.output == "69\n69\n")
    }

    @Test("names a word of the command line that is not in UTF-8")
    func brokenWord() async throws {
        let result = try await Subprocess.run(
            "/bin/sh", ["-c", "exec \"$0\" send --subject \"$(printf '\\377')\"", Martlet.path],
            input: [], environment: Martlet.complete([:]))
        #expect(result.status == 64)
        #expect(result.errors == "martlet: word 3 of the command line is not in UTF-8.\n")
    }
}
