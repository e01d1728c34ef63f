import MartletFuzzOracles
import MartletTestSupport
import Testing

@Suite("Any octets of a client")
struct CommandOracleTests {
    @Test("are understood in one way")
    func commands() throws {
        try FuzzSeeds.forEachChanged(of: "IMAPCommand", count: 60, IMAPCommandOracle.check)
        try FuzzSeeds.forEachChanged(of: "IMAPCommandFraming", count: 20, IMAPCommandOracle.check)
    }
}
