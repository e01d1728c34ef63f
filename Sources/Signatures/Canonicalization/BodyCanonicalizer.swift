internal import CMartletOctets

/// Puts a body in canonical form, piece by piece. RFC 6376 §3.4.3, §3.4.4.
///
/// CRLF and a bare LF end lines. Where the pieces end makes no difference: what may have to go (blanks before a line end,
/// empty lines at the end) is held as a count. One task uses it at a time.
final class BodyCanonicalizer {
    private static let capacity = 32 * 1024

    private var state = martlet_canonical()
    // Made and freed with this object, which nobody else can reach; every access is a call that has its capacity.
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

    init(
        _ canonicalization: Canonicalization, bareCR: BareCR,
        variant: martlet_variant = martlet_best_variant()
    ) {
        state.variant = variant
        state.is_relaxed = canonicalization == .relaxed ? 1 : 0
        state.bare_cr_ends_line = bareCR == .lineEnd ? 1 : 0
    }

    deinit { buffer.deallocate() }

    /// Takes the octets that come next, and hands on canonical ones, which must not be kept.
    func add(_ octets: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void) {
        guard let base = octets.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var taken = 0
        while taken < octets.count {
            var used = 0
            taken += martlet_canonical_add(
                &state, base + taken, octets.count - taken, buffer, Self.capacity, &used)
            take(UnsafeRawBufferPointer(start: buffer, count: used))
        }
    }

    /// The body is complete: hands on the rest.
    func finish(_ take: (UnsafeRawBufferPointer) -> Void) {
        var isDone = false
        while !isDone {
            var used = 0
            isDone = martlet_canonical_finish(&state, buffer, Self.capacity, &used) != 0
            take(UnsafeRawBufferPointer(start: buffer, count: used))
        }
    }
}
