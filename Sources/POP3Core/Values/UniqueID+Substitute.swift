import MartletBytes
import MartletCrypto

/// A name for a message whose server has none.
extension UniqueID {
    /// A digest of the message's header, for servers without `UIDL`: `sha256:` and 64 digits.
    ///
    /// Fields that servers write into a header as time goes by (`Status`, `X-UIDL` and their kin) do not count, nor does
    /// how lines end. Two copies of a message have the same name.
    ///
    /// - Parameter header: what `TOP n 0` gives; all behind the first empty line is left out.
    /// - Returns: `nil` for an empty header, and where the system refuses the digest.
    public init?(substituteForHeader header: [UInt8]) {
        var counted: [UInt8] = []
        var isCounted = true
        for line in header.split(separator: ASCII.lf, omittingEmptySubsequences: false) {
            let content = line.last == ASCII.cr ? line.dropLast() : line
            guard let first = content.first else { break }
            // A folded line goes with its field.
            if !first.isBlank { isCounted = !Self.isServers(content) }
            guard isCounted else { continue }
            counted += content
            counted.append(ASCII.lf)
        }
        guard !counted.isEmpty, let digest = try? Digest.sha256.hash(counted) else { return nil }
        let digits = digest.flatMap {
            [Hex.lowerDigits[Int($0 >> 4)], Hex.lowerDigits[Int($0 & 15)]]
        }
        self.init("sha256:" + String(decoding: digits, as: UTF8.self))
    }

    /// Whether the name is one of these substitutes.
    public var isSubstitute: Bool { text.hasPrefix("sha256:") && text.utf8.count == 71 }

    private static let serversFields = [
        "status", "x-status", "x-uidl", "x-uid", "x-imap", "x-imapbase", "x-keywords",
        "content-length", "lines",
    ]

    private static func isServers(_ line: ArraySlice<UInt8>) -> Bool {
        let name = line.prefix { $0 != UInt8(ascii: ":") && !$0.isBlank }.map(\.lowercased)
        return serversFields.contains { $0.utf8.elementsEqual(name) }
    }
}
