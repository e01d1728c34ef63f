import MartletCommandLineParsing
import MartletTestSupport
import Testing

private let bash = Subprocess.program("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")
private let zsh = Subprocess.program("/bin/zsh", "/usr/bin/zsh", "/usr/local/bin/zsh")
private let fish = Subprocess.program("/usr/bin/fish", "/usr/local/bin/fish", "/bin/fish")

@Suite("Completion scripts")
struct CompletionTests {
    @Test("are as agreed", arguments: Shell.allCases)
    func goldens(shell: Shell) throws {
        try expectGolden(
            Sample.table.completionScript(for: shell), "completion.\(shell.rawValue)")
    }

    /// Words typed, the last one still unfinished, and what the shell should offer.
    struct Case: Sendable, CustomTestStringConvertible {
        var words: [String]
        var offers: [String]
        var testDescription: String { words.joined(separator: " ") }
        init(_ words: String..., offers: [String]) {
            self.words = words
            self.offers = offers
        }
    }

    static let cases = [
        Case(
            "sample", "", offers: ["send", "check", "completions", "help", "--help", "--version"]),
        Case("sample", "se", offers: ["send"]),
        Case("sample", "check", "", offers: ["smtp", "--help"]),
        Case("sample", "check", "smtp", "--", offers: ["--server", "--help"]),
        Case("sample", "send", "--t", offers: ["--tls"]),
        Case("sample", "send", "--tls", "", offers: ["implicit", "starttls", "plaintext"]),
        Case("sample", "send", "--tls", "=", offers: ["implicit", "starttls", "plaintext"]),
        Case("sample", "send", "--tls", "=", "st", offers: ["starttls"]),
        Case("sample", "send", "--subject", "", offers: []),
        Case("sample", "help", "", offers: ["send", "check", "completions"]),
        Case("sample", "completions", "", offers: ["bash", "zsh", "fish"]),
        Case("sample", "send", "--server", "a:1", "-a", "/etc/hos", offers: ["/etc/hosts"]),
    ]

    @Test("teach bash", .enabled(if: bash != nil, "bash is not here"), arguments: cases)
    func bashOffers(testCase: Case) async throws {
        let words = testCase.words.map { "'\($0)'" }.joined(separator: " ")
        let script =
            Sample.table.completionScript(for: .bash) + """

                COMP_WORDS=(\(words)); COMP_CWORD=\(testCase.words.count - 1); COMPREPLY=()
                _sample; ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"

                """
        let result = try await Subprocess.run(
            bash!, ["--noprofile", "--norc"], input: Array(script.utf8))
        #expect(result.errors == "")
        let offers = result.output.split(separator: "\n").map(String.init)
        if testCase.offers == ["/etc/hosts"] {
            #expect(offers.contains("/etc/hosts"))
        } else {
            #expect(offers == testCase.offers)
        }
    }

    @Test("are well-formed zsh", .enabled(if: zsh != nil, "zsh is not here"))
    func zshSyntax() async throws {
        let result = try await Subprocess.run(
            zsh!, ["-f", "-n"], input: Array(Sample.table.completionScript(for: .zsh).utf8))
        #expect(result.status == 0)
        #expect(result.errors == "")
    }

    @Test("teach fish", .enabled(if: fish != nil, "fish is not here"))
    func fishOffers() async throws {
        let script =
            Sample.table.completionScript(for: .fish)
            + "complete -C 'sample send --tls '\ncomplete -C 'sample che'\n"
        let result = try await Subprocess.run(fish!, ["-N"], input: Array(script.utf8))
        #expect(
            result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
                == ["implicit", "plaintext", "starttls", "check"])
    }
}

@Suite("Manual page")
struct ManualPageTests {
    private static let groff = Subprocess.program("/usr/bin/groff", "/usr/local/bin/groff")

    @Test("is as agreed")
    func golden() throws {
        try expectGolden(Sample.table.manualPage(date: "2026-11-30"), "sample.1")
    }

    @Test("is set by groff without a warning", .enabled(if: groff != nil, "groff is not here"))
    func groffWarnings() async throws {
        let page = Sample.table.manualPage(date: "2026-11-30")
        let result = try await Subprocess.run(
            Self.groff!, ["-man", "-ww", "-Tutf8", "-P-cbou"], input: Array(page.utf8))
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(result.output.contains("--attach"))
        #expect(result.output.contains(".A paragraph that starts with a dot and holds a \\ and"))
    }
}
