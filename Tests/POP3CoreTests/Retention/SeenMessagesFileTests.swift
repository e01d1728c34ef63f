import MartletBytes
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("The file of seen messages")
struct SeenMessagesFileTests {
    static func sample() -> SeenMessages {
        var seen = RetentionPolicyTests.seen()
        seen.wasFetched(UniqueID("üñí:#!")!, at: -5)
        return seen
    }

    @Test("has a line for each message, in order, and a checksum")
    func form() {
        var seen = SeenMessages()
        #expect(String(decoding: seen.file, as: UTF8.self).hasPrefix("martlet-seen 1\nend 0 "))
        seen.wasFetched(UniqueID("b")!, at: 20)
        seen.wasFetched(UniqueID("a")!, at: 10)
        seen.wasDeletedHere(UniqueID("b")!)
        let lines = String(decoding: seen.file, as: UTF8.self).split(separator: "\n")
        #expect(lines[1] == "F 10 10 a" && lines[2] == "D 20 20 b" && lines[3].hasPrefix("end 2 "))
    }

    @Test("reads back as it was written")
    func survives() throws {
        #expect(try SeenMessages(file: Self.sample().file) == Self.sample())
        #expect(try SeenMessages(file: SeenMessages().file) == SeenMessages())
    }

    @Test("is refused as a whole when any octet of it is missing or another")
    func damage() {
        let file = Self.sample().file
        for count in 0..<file.count {
            #expect(throws: SeenMessages.Damage.self) {
                try SeenMessages(file: [UInt8](file[..<count]))
            }
            var changed = file
            changed[count] ^= 0x01
            #expect(throws: SeenMessages.Damage.self) { try SeenMessages(file: changed) }
        }
        #expect(throws: SeenMessages.Damage.self) { try SeenMessages(file: file + [0x0A]) }
    }

    @Test("says what to do when it is damaged")
    func words() {
        let file = [UInt8](Self.sample().file.dropLast(20))
        do {
            _ = try SeenMessages(file: file)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("Nothing was fetched or deleted."))
            #expect("\(error)".contains("start anew"))
        }
    }

    @Test("can be salvaged: whole lines count, nothing is made up")
    func salvage() {
        let whole = Self.sample()
        let file = whole.file
        for count in stride(from: 0, to: file.count, by: 7) {
            let salvaged = SeenMessages(salvaging: [UInt8](file[..<count]))
            for (id, entry) in salvaged.entries where whole.entries[id] != nil {
                #expect(whole.entries[id] == entry)
            }
            // The last line may be cut within an ID, which makes another one of it.
            #expect(salvaged.entries.keys.filter { whole.entries[$0] == nil }.count <= 1)
        }
    }

    @Test("takes a hundred thousand messages and more", .timeLimit(.minutes(1)))
    func size() throws {
        var seen = SeenMessages()
        for number in 0..<100_000 { seen.wasFetched(UniqueID("id\(number)")!, at: 7) }
        #expect(try SeenMessages(file: seen.file).entries.count == 100_000)
    }
}
