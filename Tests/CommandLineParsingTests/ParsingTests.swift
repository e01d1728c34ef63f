import MartletCommandLineParsing
import Testing

@Suite("Command line")
struct ParsingTests {
    private func parse(_ words: String...) throws -> ParsedCommand {
        switch try Sample.table.parse(words) {
        case .run(let parsed): return parsed
        default: throw UsageError(command: "test", message: "not a command to run")
        }
    }

    @Test("gives the values of options in every form they can be written")
    func values() throws {
        let parsed = try parse(
            "send", "--server=[::1]:2525", "--tls", "plaintext", "-n7", "-a", "a.txt", "body.txt",
            "--attach", "b c.txt", "-jsHello", "-ac.txt")
        #expect(parsed.path == ["send"])
        #expect(parsed[Sample.server] == HostAndPort(host: "::1", port: 2525))
        #expect(parsed[Sample.mode] == .plaintext)
        #expect(parsed[Sample.count] == 7)
        #expect(parsed.all(Sample.attach) == ["a.txt", "b c.txt", "c.txt"])
        #expect(parsed[Sample.subject] == "Hello")
        #expect(parsed[Sample.json])
        #expect(!parsed[Sample.quiet])
        #expect(parsed[Sample.body] == "body.txt")
    }

    @Test("falls back to defaults")
    func defaults() throws {
        let parsed = try parse("send", "--server", "a:1")
        #expect(parsed[Sample.mode] == .starttls)
        #expect(parsed[Sample.subject] == nil)
        #expect(parsed.all(Sample.attach).isEmpty)
        #expect(!parsed.isGiven(Sample.mode))
        #expect(parsed.isGiven(Sample.server))
        #expect(throws: UsageError.self) { try parsed.required(Sample.subject) }
    }

    @Test("takes a lone hyphen, and everything after two, for arguments")
    func endOfOptions() throws {
        #expect(try parse("send", "--server", "a:1", "-")[Sample.body] == "-")
        #expect(try parse("send", "--server", "a:1", "--", "--json")[Sample.body] == "--json")
    }

    @Test("lets a text look like an option, and nothing else")
    func hyphens() throws {
        #expect(try parse("send", "--server", "a:1", "-s", "--json")[Sample.subject] == "--json")
        #expect(try parse("send", "--server", "a:1", "-s", "-5 °C")[Sample.subject] == "-5 °C")
        #expect(try parse("send", "--server", "a:1", "--subject=")[Sample.subject] == "")
        #expect(
            try parse("send", "--server", "a:1", "-a", "-x.txt").all(Sample.attach) == ["-x.txt"])
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var words: [String]
        var text: String
        var testDescription: String { words.joined(separator: " ") }
        init(_ words: String..., text: String) {
            self.words = words
            self.text = text
        }
    }

    static let bad = [
        Bad(text: "sample: a command is missing: one of send, check, completions."),
        Bad("check", text: "sample check: a command is missing: one of smtp."),
        Bad("sned", text: "sample: there is no command \"sned\". Did you mean \"send\"?"),
        Bad("che", text: "sample: there is no command \"che\". Did you mean \"check\"?"),
        Bad("xyzzy", text: "sample: there is no command \"xyzzy\"."),
        Bad(
            "check", "smpt",
            text: "sample check: there is no command \"smpt\". Did you mean \"smtp\"?"),
        Bad("help", "nope", text: "sample: there is no command \"nope\"."),
        Bad(
            "--json", "send",
            text:
                "sample: there is no option \"--json\" here; options come after the command's name."
        ),
        Bad("send", text: "sample send: --server HOST:PORT is missing."),
        Bad("completions", text: "sample completions: SHELL is missing."),
        Bad(
            "completions", "bsh",
            text: "sample completions: SHELL: \"bsh\" is not one of bash, zsh, fish. "
                + "Did you mean \"bash\"?"),
        Bad(
            "send", "--sever=a:1",
            text: "sample send: there is no option \"--sever\". Did you mean \"--server\"?"),
        Bad(
            "send", "--att", "x",
            text: "sample send: there is no option \"--att\". Did you mean \"--attach\"?"),
        Bad("send", "-x", text: "sample send: there is no option \"-x\"."),
        Bad("send", "--json=yes", text: "sample send: --json takes no value."),
        Bad("send", "--attach", text: "sample send: --attach needs a value: --attach FILE."),
        Bad("send", "-a", "--json", text: "sample send: --attach needs a value: --attach FILE."),
        Bad("send", "--tls", "--help", text: "sample send: --tls needs a value: --tls MODE."),
        Bad(
            "send", "--tls", "start-tls",
            text: "sample send: --tls: \"start-tls\" is not one of implicit, starttls, plaintext. "
                + "Did you mean \"starttls\"?"),
        Bad("send", "-n", "100", text: "sample send: -n: \"100\" is not from 0 to 99."),
        Bad(
            "send", "-n", "+1", text: "sample send: -n: \"+1\" is not a whole number from 0 to 99."),
        Bad(
            "send", "-n", "99999999999999999999",
            text: "sample send: -n: \"99999999999999999999\" is not a whole number from 0 to 99."),
        Bad("send", "-a", "", text: "sample send: -a: \"\" is no path."),
        Bad(
            "send", "--server", "a:1", "--server", "b:1",
            text: "sample send: --server was given twice."),
        Bad(
            "send", "--server", "a:1", "-j", "-q",
            text: "sample send: --json and --quiet exclude each other: give one of them."),
        Bad(
            "send", "--server", "a:1", "one", "two words",
            text: "sample send: there is an argument too many, \"two words\"; "
                + "put quotes around values with spaces."),
        Bad("send", "--no\u{1B}[31m\n", text: "sample send: there is no option \"--no?[31m?\"."),
    ]

    @Test("that is wrong is answered by a reason and a suggestion", arguments: bad)
    func refused(bad: Bad) {
        let error = #expect(throws: UsageError.self) { try Sample.table.parse(bad.words) }
        let command = bad.text.prefix { $0 != ":" }
        #expect(error?.description == bad.text + "\nSee \"\(command) --help\".")
    }

    @Test(
        "never repeats the value of a refused option",
        arguments: [
            ["send", "--password=hunter2"], ["send", "--password", "hunter2"],
            ["send", "-phunter2"], ["send", "-p", "hunter2"], ["send", "--pasword=hunter2"],
        ])
    func secrets(words: [String]) {
        let error = #expect(throws: UsageError.self) { try Sample.table.parse(words) }
        #expect(error?.description.contains("hunter2") == false)
        if words[1].hasPrefix("--password") || words[1].hasPrefix("-p") {
            #expect(error?.message.contains("use --run instead") == true)
        }
    }

    @Test(
        "asks for help wherever the word stands",
        arguments: [
            (["--help"], []), (["-h"], []), (["help"], []), (["help", "send"], ["send"]),
            (["send", "--help"], ["send"]), (["send", "--json", "-h", "--nonsense"], ["send"]),
            (["help", "check", "smtp"], ["check", "smtp"]), (["check", "--help"], ["check"]),
            (["check", "smtp", "-h"], ["check", "smtp"]), (["help", "--help"], []),
        ] as [([String], [String])])
    func help(words: [String], path: [String]) throws {
        guard case .help(path) = try Sample.table.parse(words) else {
            Issue.record("not taken for a call for help")
            return
        }
    }

    @Test("asks for the version")
    func version() throws {
        guard case .version = try Sample.table.parse(["--version"]) else {
            Issue.record("not taken for the version")
            return
        }
    }

    @Test("of any words ends in a result, never in a trap")
    func garbage() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "send", "--", "-", "--=", "--server", "-a", "\u{0}", "=", "-é", "--tls=", "check",
            "help",
            "smtp", "🦜", String(repeating: "x", count: 10_000), "[", "a:1", "--count=9", "-j-",
        ]
        for _ in 0..<5_000 {
            let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator)!
                }.joined()
            }
            _ = try? Sample.table.parse(words)
        }
    }
}
