import Foundation
import Testing

/// What the README says about `martlet`, against the help that the command's own tests keep.
@Suite(
    "Command lines in the README",
    .enabled(if: Repository.exists(Repository.helpTexts), "there is no command yet"))
struct CommandLineTests {
    /// The words of each `martlet …` in a shell block or in running text.
    private func commandLines() throws -> [[Substring]] {
        let readme = try Markdown(of: "README.md")
        let blocks = readme.blocks.filter { $0.language == "sh" }
        var lines = blocks.flatMap { block in
            block.lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
                .replacingOccurrences(of: "\\\n", with: " ").components(separatedBy: "\n")
        }
        lines += readme.codeSpans.map(String.init)
        return lines.flatMap { line in
            line.split(separator: "|").map { $0.split(separator: " ") }
        }.filter { $0.first == "martlet" && $0.count > 1 }
    }

    @Test("name commands and options that there are")
    func options() throws {
        let lines = try commandLines()
        #expect(lines.count >= 6)
        for words in lines {
            let name = words.dropFirst().prefix { !$0.hasPrefix("-") }.prefix(2)
            if name.first == "help" { continue }
            let files = [name.joined(separator: "-"), name.prefix(1).joined()]
                .map { "\(Repository.helpTexts)/help-\($0).txt" }
            let file = try #require(files.first(where: Repository.exists), "\(words)")
            let help = try Repository.text(file)
            for word in words where word.hasPrefix("--") {
                let isKnown = help.contains(
                    try Regex("(^|[ ,])\(word)($|[ \\n])").anchorsMatchLineEndings())
                #expect(isKnown, "\(file) does not have \(word)")
            }
        }
    }

    @Test("have the exit codes of the help")
    func exitCodes() throws {
        let help = try Repository.text("\(Repository.helpTexts)/help.txt")
        let section = try #require(help.components(separatedBy: "Exit status:\n").last)
        let real = section.matches(of: #/^ *(\d+)  /#.anchorsMatchLineEndings()).map {
            String($0.1)
        }
        let readme = try Repository.text("README.md")
        let table = try #require(readme.components(separatedBy: "### Exit codes").last)
        let told = table.matches(of: #/^\| (\d+) \|/#.anchorsMatchLineEndings()).map {
            String($0.1)
        }
        #expect(!told.isEmpty)
        #expect(told == real)
    }
}
