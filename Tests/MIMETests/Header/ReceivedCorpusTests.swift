import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite(
    "Received fields of another parser's tests",
    .corpus("mail-parser/received.json"))
struct ReceivedCorpusTests {
    /// Values that ours reads otherwise, by the number of the field and the name of the value, and why.
    static let differences = [
        "0 with": "RFC 3848: over TLS it is ESMTPS, as the other's reading of ESMTP-TLS is",
        "6 ident": slash, "28 id": slash, "29 id": slash, "30 id": slash, "39 ident": slash,
        "116 ident": slash, "125 from": slash,
        "13 date": asctime, "117 date": asctime, "118 date": asctime, "151 date": asctime,
        "89 date": twoDigits, "90 date": twoDigits, "128 date": twoDigits,
        "67 date": "RFC 5322 §4.3: PST is -0800", "163 date": "RFC 5322 §4.3: PDT is -0700",
        "144 date": "a fraction does not undo the seconds before it",
        "65 ident": "RFC 1413: the name beside the address; the envelope's sender is no ident",
        "151 ident": "RFC 1413: the envelope's sender is no ident",
        "151 from": "kept as it stands, though it is no domain",
        "153 recipient": "kept as it stands: local names have no @",
        "123 by": "RFC 5321 §4.4: there is one By-domain, the first",
        "148 address": "the same address, written as the server did",
        "165 from": "RFC 5322 §3.2.2: a comment is no clause",
        "171 from": "RFC 5322 §3.2.2: a comment is no clause",
    ]
    // Which command said the name (their "helo_cmd") is in no clause of RFC 5321 §4.4 and is not read.

    private static let slash = "RFC 5322 §3.2.3: a slash is part of an atom"
    private static let asctime =
        "month before the day, year behind the time: their numbers are mixed up"
    private static let twoDigits = "RFC 5322 §4.3: two digits below 50 are of this century"

    struct Expected: Decodable {
        struct Host: Decodable {
            var name, address: String?

            enum CodingKeys: String, CodingKey {
                case name = "Name"
                case address = "IpAddr"
            }
        }
        var from, by, helo: Host?
        var address, reverseName, recipient, with, id, ident, via, version, cipher: String?
        var date: MailParserCorpus.Date?

        enum CodingKeys: String, CodingKey {
            case from, by, helo, with, id, ident, via, date
            case address = "from_ip"
            case reverseName = "from_iprev"
            case recipient = "for_"
            case version = "tls_version"
            case cipher = "tls_cipher"
        }
    }

    @Test("are read alike, but for explained differences")
    func comparison() throws {
        var found: Set<String> = []
        for (index, sample) in try MailParserCorpus.cases("received", of: Expected.self)
            .enumerated()
        {
            let ours = Received.parse(sample.value.utf8).value
            let theirs = try #require(sample.expected)
            func host(_ host: Expected.Host?) -> String? {
                host.map { $0.name ?? $0.address ?? "" }
            }
            let values: [(String, String?, String?)] = [
                ("from", ours.from, host(theirs.from)), ("by", ours.by, host(theirs.by)),
                ("helo", ours.helo, host(theirs.helo)), ("address", ours.address, theirs.address),
                ("reverseName", ours.reverseName, theirs.reverseName),
                ("recipient", ours.recipient, theirs.recipient), ("id", ours.id, theirs.id),
                ("with", ours.transmissionType, theirs.with?.uppercased()),
                ("ident", ours.ident, theirs.ident), ("via", ours.via, theirs.via),
                (
                    "version", ours.tls?.version,
                    theirs.version.map { $0.replacing("_", with: ".") }
                ),
                ("cipher", ours.tls?.cipher, theirs.cipher),
                ("date", ours.date?.text, theirs.date?.mailDate?.text),
            ]
            for (name, our, their) in values where our != their {
                let key = "\(index) \(name)"
                found.insert(key)
                #expect(
                    Self.differences[key] != nil,
                    "\(key): \(our ?? "nil") for \(their ?? "nil") in \(sample.header)")
            }
        }
        #expect(found == Set(Self.differences.keys))
    }
}
