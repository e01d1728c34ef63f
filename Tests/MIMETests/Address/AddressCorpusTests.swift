import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite(
    "Address lists of another parser's tests",
    .corpus("mail-parser/address.json"))
struct AddressCorpusTests {
    /// Values that ours reads otherwise, by their number, and why.
    static let differences = [
        8: comment, 9: comment, 10: comment, 11: comment, 13: space, 14: space, 22: comment,
        28: quoted, 38: scheme, 39: scheme, 40: scheme, 41: scheme, 42: name, 43: scheme,
        44: scheme, 45: scheme, 46: scheme, 47: scheme, 56: comment,
    ]

    private static let comment =
        "RFC 5322 §3.2.2: a comment is no part of a name, and no member of a group"
    private static let space =
        "RFC 5322 §4.4: white space, comments and the route are no part of the address"
    private static let quoted =
        "RFC 5322 §3.2.4: a blank inside of quotes stays beside the one before them"
    private static let name =
        "RFC 5322 §3.4: words without an address are a name, and the comment is none then"
    private static let scheme = "RFC 6068 §2: a mailto URI names the address in it"

    struct Expected: Decodable {
        struct Address: Decodable { var name, address: String? }
        struct Group: Decodable {
            var name: String?
            var addresses: [Address]
        }
        // One of them.
        var list: [Address]?
        var groups: [Group]?

        enum CodingKeys: String, CodingKey {
            case list = "List"
            case groups = "Group"
        }

        var text: String {
            func line(_ addresses: [Address]) -> String {
                addresses.map { ($0.name.map { "[\($0)]" } ?? "") + ($0.address ?? "") }
                    .joined(separator: "|")
            }
            return list.map(line)
                ?? (groups ?? []).map { group in
                    group.name.map { "{\($0):\(line(group.addresses))}" } ?? line(group.addresses)
                }.joined(separator: "|")
        }
    }

    @Test("are read alike, but for explained differences")
    func comparison() throws {
        var found: Set<Int> = []
        let samples = try MailParserCorpus.cases("address", of: Expected.self)
        for (number, sample) in samples.enumerated() {
            let ours = shown(AddressList(parsing: sample.value.utf8).entries)
            guard ours != sample.expected?.text else { continue }
            found.insert(number)
            #expect(Self.differences[number] != nil, "\(ours) in \(sample.header)")
        }
        #expect(found == Set(Self.differences.keys))
    }
}

private func shown(_ entries: [AddressList.Entry]) -> String {
    entries.map { entry in
        switch entry {
        case .mailbox(let mailbox):
            (mailbox.displayName.map { "[\($0)]" } ?? "") + mailbox.addrSpec
        case .group(let name, let members): "{\(name):\(shown(members))}"
        case .invalid(let invalid):
            (invalid.displayName.map { "[\($0)]" } ?? "") + (invalid.address ?? "")
        }
    }.joined(separator: "|")
}
