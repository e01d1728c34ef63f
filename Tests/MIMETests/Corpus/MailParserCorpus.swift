import Foundation
import MartletTestSupport
import Testing

/// Header fields with the values that another parser reads in them: `mail-parser` in the corpus. A second opinion, not the truth.
enum MailParserCorpus {
    /// One field: its value as it stood, and what the other parser reads.
    struct Case<Expected: Decodable>: Decodable {
        var header: String
        var expected: Expected?

        /// The value up to the line end that no continuation line follows, as a header section is cut.
        var value: String {
            let octets = Array(header.utf8)
            let end = octets.indices.first { index in
                octets[index] == 0x0A
                    && (index + 1 == octets.count || ![0x20, 0x09].contains(octets[index + 1]))
            }
            return String(decoding: octets[..<(end ?? octets.count)], as: UTF8.self)
        }
    }

    struct Date: Decodable {
        var year, month, day, hour, minute, second, zoneHour, zoneMinute: Int
        var isWestOfGMT: Bool

        enum CodingKeys: String, CodingKey {
            case year, month, day, hour, minute, second
            case zoneHour = "tz_hour"
            case zoneMinute = "tz_minute"
            case isWestOfGMT = "tz_before_gmt"
        }
    }

    static func cases<Expected: Decodable>(
        _ name: String, of: Expected.Type
    ) throws -> [Case<Expected>] {
        let data = Data(try Corpus.octets("mail-parser/\(name).json"))
        return try JSONDecoder().decode([Case<Expected>].self, from: data)
    }
}
