import MartletFuzzOracles
import MartletTestSupport
import Testing

/// What the fuzzer looks for hours for, for a moment.
@Suite("Garbage in a login")
struct GarbageTests {
    @Test("from a server keeps every promise of the client's side")
    func client() throws {
        try FuzzSeeds.forEachChanged(of: "SASLClient", count: 200, SASLClientOracle.check)
    }

    @Test("from a client keeps every promise of the server's side")
    func server() throws {
        try FuzzSeeds.forEachChanged(of: "SASLServer", count: 200, SASLServerOracle.check)
    }

    @Test("of any octets keeps them, too", arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let count = Int.random(in: 1...80, using: &random)
            let input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            SASLClientOracle.check(input)
            SASLServerOracle.check(input)
        }
    }
}
