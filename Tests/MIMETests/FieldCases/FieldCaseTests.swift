import MartletMIME
import MartletTestSupport
import Testing

@Suite("Field cases")
struct FieldCaseTests {
    @Test("encoded words are read", arguments: FieldCase.words)
    func words(_ test: FieldCase) throws { try test.check() }

    @Test("addresses and message IDs are read", arguments: FieldCase.addresses)
    func addresses(_ test: FieldCase) throws { try test.check() }

    @Test("dates are read", arguments: FieldCase.dates)
    func dates(_ test: FieldCase) throws { try test.check() }

    @Test("parameters are read", arguments: FieldCase.parameters)
    func parameters(_ test: FieldCase) throws { try test.check() }

    @Test("parts are found by their boundaries", arguments: FieldCase.boundaries)
    func boundaries(_ test: FieldCase) throws { try test.check() }

    @Test("headers end where their authors meant", arguments: FieldCase.headers)
    func headers(_ test: FieldCase) throws { try test.check() }

    @Test("transfer encodings are undone", arguments: FieldCase.bodies)
    func bodies(_ test: FieldCase) throws { try test.check() }

    @Test("charsets are found", arguments: FieldCase.charsets)
    func charsets(_ test: FieldCase) throws { try test.check() }

    @Test("are read wherever they are cut off")
    func cut() throws {
        for name in try FuzzSeeds.names(of: "Message") {
            let octets = try FuzzSeeds.octets(name, of: "Message")
            for count in octets.indices {
                let message = Message(parsing: Array(octets.prefix(count)))
                let parts = Array(message.parts)
                #expect(parts.last.map { $0.range.upperBound <= count } == true)
                for part in parts where part.kind == .leaf { _ = part.decodedBody() }
            }
        }
    }

    @Test("are all seeds of the fuzzer")
    func complete() throws {
        let groups = [
            FieldCase.words, FieldCase.addresses, FieldCase.dates, FieldCase.parameters,
            FieldCase.boundaries, FieldCase.headers,
            FieldCase.bodies, FieldCase.charsets,
        ]
        #expect(groups.joined().map(\.name).sorted() == (try FuzzSeeds.names(of: "Message")))
    }
}
