import MartletBytes
import MartletSignatures

/// The octets of a text that is written with LF; in mail lines end with CRLF.
func crlf(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == ASCII.lf ? [ASCII.cr, ASCII.lf] : [$0] }
}

func text(_ octets: some Sequence<UInt8>) -> String {
    String(decoding: Array(octets), as: UTF8.self)
}

/// A message for signing.
let sample = crlf(
    """
    From: Jane Doe <jane@example.org>
    To: Max <max@example.com>,
     Moritz <moritz@example.com>
    Subject:   Lunch   today?\u{20}
    Date: Fri, 11 Jul 2003 21:00:37 -0700
    MIME-Version: 1.0
    Message-ID: <1@example.org>

    Hello  Max,

    at noon?\t\u{20}

    Jane


    """)

/// Reads octets in pieces of the given sizes, in turn.
struct PiecewiseSource: OctetSource {
    let octets: [UInt8]
    let sizes: [Int]

    var sizeInOctets: Int { octets.count }

    func makeReader() -> any OctetReader { Reader(rest: octets[...], sizes: sizes) }

    private struct Reader: OctetReader {
        var rest: ArraySlice<UInt8>
        let sizes: [Int]
        var turn = 0

        mutating func read(atMost limit: Int) -> [UInt8] {
            let size = min(limit, max(1, sizes[turn % sizes.count]))
            turn += 1
            defer { rest = rest.dropFirst(size) }
            return [UInt8](rest.prefix(size))
        }
    }
}

/// All octets of a source.
func octets(of source: any OctetSource) async throws -> [UInt8] {
    var reader = try source.makeReader()
    var octets: [UInt8] = []
    while true {
        let piece = try await reader.read(atMost: 4096)
        if piece.isEmpty { return octets }
        octets += piece
    }
}
