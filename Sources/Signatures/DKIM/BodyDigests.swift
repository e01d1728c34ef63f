import MartletBytes

/// The body hashes that several signatures ask for, made in one pass over the body.
struct BodyDigests {
    private struct Kind: Hashable {
        var canonicalization: Canonicalization
        var limit: Int?
    }

    private var digests: [Kind: BodyDigest] = [:]
    private var results: [Kind: (digest: [UInt8], count: Int)] = [:]

    init(for signatures: some Sequence<SignatureTags>) {
        for tags in signatures {
            let kind = Self.kind(of: tags)
            if digests[kind] == nil {
                digests[kind] = BodyDigest(
                    kind.canonicalization, limit: kind.limit, bareCR: .content)
            }
        }
    }

    private static func kind(of tags: SignatureTags) -> Kind {
        Kind(canonicalization: tags.bodyCanonicalization, limit: tags.bodyLength)
    }

    var isEmpty: Bool { digests.isEmpty }

    func update(_ octets: UnsafeRawBufferPointer) {
        for digest in digests.values { digest.update(octets) }
    }

    /// Reads the body from memory.
    mutating func read(_ octets: Octets, from start: Int) {
        guard !isEmpty else { return }
        octets.withUnsafeBytes { octets in
            update(UnsafeRawBufferPointer(rebasing: octets[min(start, octets.count)...]))
        }
        finish()
    }

    /// Reads the rest of a body that has begun with `start`.
    mutating func read(_ start: [UInt8], then reader: inout any OctetReader) async throws {
        guard !isEmpty else { return }
        start.withUnsafeBytes { update($0) }
        while true {
            let piece = try await reader.read(atMost: MessageReading.pieceSize)
            if piece.isEmpty { break }
            piece.withUnsafeBytes { update($0) }
        }
        finish()
    }

    private mutating func finish() { results = digests.mapValues { $0.finish() } }

    /// What the body is by a signature of this kind.
    ///
    /// - Returns: how many canonical octets behind `l=` are not signed.
    func check(_ tags: SignatureTags) throws(DKIMProblem) -> Int {
        guard let result = results[Self.kind(of: tags)] else { throw .bodyChanged }
        let signed = tags.bodyLength ?? result.count
        guard signed <= result.count else { throw .bodyTooShort }
        guard result.digest == tags.bodyHash else { throw .bodyChanged }
        return result.count - signed
    }
}
