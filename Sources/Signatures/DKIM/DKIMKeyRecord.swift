import MartletBytes

/// A public key as a domain publishes it, the TXT record at `SELECTOR._domainkey.DOMAIN`. RFC 6376 §3.6.1.
struct DKIMKeyRecord: Sendable {
    /// `t=y`: the domain tries DKIM out; a failed signature is as good as none.
    var isTesting: Bool
    /// `t=s`: the identity must be of the domain itself.
    var isStrict: Bool
    var key: PublicKey

    /// Reads a record for a signature made with `algorithm`.
    init(
        _ octets: [UInt8], for algorithm: DKIMAlgorithm, limits: SignatureLimits
    ) throws(DKIMProblem) {
        guard octets.count <= limits.keyRecordSizeInOctets else {
            throw .tooLong(limit: limits.keyRecordSizeInOctets)
        }
        let list: TagList
        do {
            list = try TagList(octets, in: 0..<octets.count, limit: limits.tagCount)
        } catch {
            throw .malformedKey
        }
        if list["v"] != nil {
            guard list.tags.first?.name == "v", list.text("v") == "DKIM1" else {
                throw .malformedKey
            }
        }
        guard let text = list.packed("p") else { throw .malformedKey }
        guard !text.isEmpty else { throw .keyRevoked }
        guard (list.text("k") ?? "rsa").asciiLowercased == algorithm.keyType,
            Self.allows("sha256", list.items("h")),
            Self.allows("email", list.items("s")) || Self.allows("*", list.items("s"))
        else { throw .unsuitableKey }
        let flags = list.items("t") ?? []
        isTesting = flags.contains { $0.elementsEqual("y".utf8) }
        isStrict = flags.contains { $0.elementsEqual("s".utf8) }
        guard let octets = Base64.decode(text) else { throw .malformedKey }
        key = try PublicKey(published: octets, for: algorithm)
    }

    private static func allows(_ name: String, _ names: [[UInt8]]?) -> Bool {
        names?.contains { $0.map(\.lowercased).elementsEqual(name.utf8) } ?? true
    }
}
