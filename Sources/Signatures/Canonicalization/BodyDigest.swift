import MartletBytes

/// The hash of a canonical body, over pieces of the body as it stands. RFC 6376 §3.7.
///
/// One task uses it at a time.
final class BodyDigest {
    private let canonicalizer: BodyCanonicalizer
    private let digest = SHA256()
    /// How many canonical octets are still hashed.
    private var rest: Int
    private var count = 0

    /// - Parameter limit: how many canonical octets are hashed (`l=`); `nil` for all.
    init(_ canonicalization: Canonicalization, limit: Int? = nil, bareCR: BareCR) {
        canonicalizer = BodyCanonicalizer(canonicalization, bareCR: bareCR)
        rest = limit ?? .max
    }

    func update(_ octets: UnsafeRawBufferPointer) { canonicalizer.add(octets, hash) }

    private func hash(_ octets: UnsafeRawBufferPointer) {
        let hashed = min(rest, octets.count)
        if hashed > 0 { digest.update(UnsafeRawBufferPointer(rebasing: octets[..<hashed])) }
        rest -= hashed
        count += octets.count
    }

    /// The digest, and how many octets the canonical body has.
    func finish() -> (digest: [UInt8], count: Int) {
        canonicalizer.finish(hash)
        return (digest.finish(), count)
    }
}
