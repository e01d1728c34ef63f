import MartletBytes

/// The hash of a canonical body, over pieces of the body as it stands. RFC 6376 §3.7.
///
/// One task uses it at a time.
final class BodyDigest {
    private var canonicalizer: BodyCanonicalizer
    private var sink: DigestSink

    /// - Parameter limit: how many canonical octets are hashed (`l=`); `nil` for all.
    init(_ canonicalization: Canonicalization, limit: Int? = nil, bareCR: BareCR) {
        canonicalizer = BodyCanonicalizer(canonicalization, bareCR: bareCR)
        sink = DigestSink(limit: limit)
    }

    /// Octets that are put in form before they are hashed, so that they are still in the cache.
    private static let pieceSize = 128 * 1024

    func update(_ octets: UnsafeRawBufferPointer) {
        var start = 0
        while start < octets.count {
            let end = min(start + Self.pieceSize, octets.count)
            canonicalizer.add(UnsafeRawBufferPointer(rebasing: octets[start..<end]), to: &sink)
            start = end
        }
    }

    /// The digest, and how many octets the canonical body has.
    func finish() -> (digest: [UInt8], count: Int) {
        canonicalizer.finish(to: &sink)
        return sink.finish()
    }
}

/// Hashes octets; short pieces are put together first.
private struct DigestSink: CanonicalSink {
    private static let capacity = 16 * 1024
    /// Longer pieces are hashed where they lie.
    private static let shortPiece = 1024

    private let digest = SHA256()
    private var held: [UInt8] = []
    private var rest: Int
    private var count = 0

    init(limit: Int?) {
        rest = limit ?? .max
        held.reserveCapacity(Self.capacity)
    }

    @inline(__always)
    mutating func take(_ octet: UInt8) {
        held.append(octet)
        if held.count == Self.capacity { flush() }
    }

    mutating func take(_ octets: UnsafeRawBufferPointer) {
        if octets.count <= Self.shortPiece {
            if held.count + octets.count > Self.capacity { flush() }
            held.append(contentsOf: octets)
        } else {
            flush()
            hash(octets)
        }
    }

    private mutating func flush() {
        let octets = held
        octets.withUnsafeBytes { hash($0) }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func hash(_ octets: UnsafeRawBufferPointer) {
        let hashed = min(rest, octets.count)
        if hashed > 0 { digest.update(UnsafeRawBufferPointer(rebasing: octets[..<hashed])) }
        rest -= hashed
        count += octets.count
    }

    mutating func finish() -> (digest: [UInt8], count: Int) {
        flush()
        return (digest.finish(), count)
    }
}
