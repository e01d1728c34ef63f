import MartletFuzzOracles
import MartletTestSupport
import Testing

/// What the fuzzer looks for hours for, for a moment.
@Suite("Promises for any octets")
struct OracleTests {
    @Test("hold for messages")
    func message() throws {
        try FuzzSeeds.forEachChanged(of: "Message", count: 20, MessageOracle.check)
    }

    @Test("hold for what messages mean")
    func meaning() throws {
        try FuzzSeeds.forEachChanged(of: "Meaning", count: 20, MeaningOracle.check)
        try FuzzSeeds.forEachChanged(of: "Message", count: 5, MeaningOracle.check)
    }

    @Test("hold for winmail.dat")
    func tnef() throws {
        try FuzzSeeds.forEachChanged(of: "TNEF", count: 50, TNEFOracle.check)
    }

    @Test("hold for values of fields")
    func fields() throws {
        try FuzzSeeds.forEachChanged(of: "HeaderText", count: 50, HeaderTextOracle.check)
        try FuzzSeeds.forEachChanged(of: "Addresses", count: 50, AddressesOracle.check)
        try FuzzSeeds.forEachChanged(of: "Date", count: 50, DateOracle.check)
        try FuzzSeeds.forEachChanged(of: "Parameters", count: 50, ParametersOracle.check)
    }

    @Test("hold for transfer encodings")
    func bodies() throws {
        try FuzzSeeds.forEachChanged(
            of: "TransferEncodings", count: 50, TransferEncodingsOracle.check)
    }

    @Test("hold for mboxes")
    func mbox() throws {
        try FuzzSeeds.forEachChanged(of: "Mbox", count: 50, MboxOracle.check)
    }
}
