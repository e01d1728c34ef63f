import MartletBytes

/// Writes the base64 of AUTH lines straight into the output: `Base64` would leave a copy of a secret behind.
///
/// RFC 4954 §4, RFC 4648 §4.
enum AuthBase64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    static func encode(_ octets: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        // So that a growing array leaves no copy of a secret behind.
        output.reserveCapacity(output.count + Base64.encodedSize(of: octets.count))
        let letters = alphabet.utf8Start
        var offset = 0
        while offset < octets.count {
            let left = octets.count - offset
            let group =
                UInt32(octets[offset]) << 16 | (left > 1 ? UInt32(octets[offset + 1]) << 8 : 0)
                | (left > 2 ? UInt32(octets[offset + 2]) : 0)
            output.append(letters[Int(group >> 18)])
            output.append(letters[Int(group >> 12 & 63)])
            output.append(left > 1 ? letters[Int(group >> 6 & 63)] : ASCII.equals)
            output.append(left > 2 ? letters[Int(group & 63)] : ASCII.equals)
            offset += 3
        }
    }
}
