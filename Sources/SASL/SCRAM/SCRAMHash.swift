import MartletCrypto

/// The digest that a SCRAM mechanism is made of.
public enum SCRAMHash: Sendable, Hashable, CaseIterable {
    /// `SCRAM-SHA-1`, RFC 5802.
    case sha1
    /// `SCRAM-SHA-256`, RFC 7677.
    case sha256
    /// `SCRAM-SHA-512`, as several servers have it.
    case sha512

    var digest: Digest {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }

    /// `SCRAM-SHA-1` and so on; `SCRAM-SHA-1-PLUS` with channel binding.
    func name(isBound: Bool) -> String { "SCRAM-" + digest.rawValue + (isBound ? "-PLUS" : "") }

    /// What a mechanism's name, in upper case, stands for.
    static func named(_ name: String) -> (hash: SCRAMHash, isBound: Bool)? {
        for hash in allCases {
            for isBound in [false, true] where hash.name(isBound: isBound) == name {
                return (hash, isBound)
            }
        }
        return nil
    }
}
