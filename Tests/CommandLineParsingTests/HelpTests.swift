import MartletCommandLineParsing
import MartletTestSupport
import Testing

@Suite("Help")
struct HelpTests {
    @Test("of each command is as agreed", arguments: [[], ["send"], ["check"], ["check", "smtp"]])
    func goldens(path: [String]) throws {
        let help = try #require(Sample.table.help(for: path))
        try expectGolden(help, "help\(path.map { "-" + $0 }.joined()).txt")
    }

    @Test("keeps to the width it is given", arguments: [40, 60, 80, 200])
    func width(columns: Int) throws {
        let help = try #require(Sample.table.help(for: ["send"], columns: columns))
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        // Examples and names of options are never cut.
        for line in lines where line.count > columns {
            #expect(line.contains("sample send") || line.contains("--state-folder"), "\(line)")
        }
    }

    @Test("of a command that is not there is nothing")
    func none() {
        #expect(Sample.table.help(for: ["nope"]) == nil)
    }
}
