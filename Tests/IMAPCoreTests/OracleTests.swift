import MartletFuzzOracles
import MartletTestSupport
import Testing

@Suite("Any octets of a peer")
struct IMAPOracleTests {
    @Test("keep the promises of the response framer and parser")
    func responses() throws {
        try FuzzSeeds.forEachChanged(of: "IMAPResponse", count: 40, IMAPResponseOracle.check)
    }

    @Test("cost no more than the structure that they stand for")
    func structures() throws {
        try FuzzSeeds.forEachChanged(of: "IMAPStructure", count: 8, IMAPValueOracle.checkStructure)
    }

    @Test("cost no more than the envelope that they stand for")
    func envelopes() throws {
        try FuzzSeeds.forEachChanged(of: "IMAPEnvelope", count: 12, IMAPValueOracle.checkEnvelope)
    }

    @Test("keep the promises of names of mailboxes")
    func names() throws {
        try FuzzSeeds.forEachChanged(of: "MailboxName", count: 200, MailboxNameOracle.check)
    }

    @Test("keep the promises of the command framer")
    func commands() throws {
        try FuzzSeeds.forEachChanged(
            of: "IMAPCommandFraming", count: 60, IMAPCommandFramingOracle.check)
    }
}
