/// Hexadecimal digits.
public enum Hex {
    /// `0`…`9`, `A`…`F`.
    public static let upperDigits = [UInt8]("0123456789ABCDEF".utf8)
    /// `0`…`9`, `a`…`f`.
    public static let lowerDigits = [UInt8]("0123456789abcdef".utf8)

    /// Appends the two upper-case digits of `octet`.
    public static func append(_ octet: UInt8, to output: inout [UInt8]) {
        output.append(upperDigits[Int(octet >> 4)])
        output.append(upperDigits[Int(octet & 15)])
    }

    /// The sixteen lower-case digits of `number`.
    public static func digits(of number: UInt64) -> [UInt8] {
        (0..<16).map { lowerDigits[Int(number >> (60 - 4 * UInt64($0)) & 15)] }
    }
}
