/// Base64 of secrets, without copies that stay behind.
extension Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Writes the base64 of `octets` straight into the output, which the caller clears. RFC 4648 §4.
    package static func append(
        _ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        // So that a growing array leaves no copy of a secret behind.
        output.reserveCapacity(output.count + encodedSize(of: octets.count))
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

    /// The octets behind base64 text, strictly read; `nil` where `text` is none.
    package static func secret(_ text: some Collection<UInt8>) -> Secret? {
        guard var octets = decode(text) else { return nil }
        defer { for index in octets.indices { octets[index] = 0 } }
        return Secret(octets: octets)
    }
}
