import MartletBytes
import MartletCrypto

/// Hexadecimal digits as mechanisms write them.
enum HexDigits {
    static func lower(_ octets: [UInt8]) -> [UInt8] {
        octets.flatMap { [Hex.lowerDigits[Int($0 >> 4)], Hex.lowerDigits[Int($0 & 15)]] }
    }
}

extension CryptoError {
    /// The sentence without its full stop, for the end of another.
    var half: String { String(description.dropLast()) }
}
