import MartletBytes
import Testing

@Suite("Octets")
struct OctetsTests {
    @Test("are read in pieces, the last of which may ask for any number")
    func reader() async throws {
        var reader = Octets(Array(0..<10)).makeReader()
        #expect(try await reader.read(atMost: 4) == [0, 1, 2, 3])
        #expect(try await reader.read(atMost: .max) == [4, 5, 6, 7, 8, 9])
        #expect(try await reader.read(atMost: .max) == [])
    }

    @Test("give what is there of a range")
    func range() {
        let octets = Octets([1, 2, 3])
        #expect(octets[1..<9] == [2, 3] && octets[7..<9] == [] && octets[0..<3] == [1, 2, 3])
    }
}
