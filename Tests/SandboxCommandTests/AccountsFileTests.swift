import MartletCLI
import Testing

@testable import MartletSandboxCommand

@Suite("Accounts file")
struct AccountsFileTests {
    @Test(
        "with a line that is none names the line and not what it holds",
        arguments: [
            ("alice", 1), ("alice:pw\n:hunter2\n", 2), ("#x\n\nbob:\n", 3), ("a:1\na:hunter2", 2),
            ("a:1\n\u{FF}:hunter2", 0),
        ])
    func malformed(text: String, line: Int) {
        var octets = Array(text.utf8)
        if line == 0 { octets[4] = 0xFF }
        let failure = #expect(throws: CommandFailure.self) {
            try AccountsFile.parse(octets, "users")
        }
        #expect(failure?.message.contains("Line \(line == 0 ? 2 : line) of \"users\"") == true)
        #expect(failure?.message.contains("hunter2") == false)
    }
}
