import MartletBytes

extension StringProtocol {
    /// With `A`…`Z` in lower case, and everything else as it is: names of protocols know no other case, and Unicode's
    /// makes an ASCII letter of some that are none.
    var asciiLowercased: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }
}
