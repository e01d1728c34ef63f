/// Why something could not be computed.
package enum CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL has no such function here: an administrator has switched it off (FIPS), or there is no memory.
    case unavailable(String)
    /// More work than `PBKDF2.iterationLimit` allows, or none.
    case iterationsOutOfRange(Int)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .unavailable(let name): "OpenSSL cannot compute \(name) on this machine."
        case .iterationsOutOfRange(let count):
            "a key cannot be derived in \(count) iterations; 1…\(PBKDF2.iterationLimit) can be."
        }
    }
}
