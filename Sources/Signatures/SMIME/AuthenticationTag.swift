/// The tag that shows changes of encrypted content: the `mac` of an AuthEnvelopedData. RFC 5083 §2.1.
///
/// OpenSSL takes one that somebody has cut to an octet or two, so that a forgery passes once in 256 or 65,536 times.
enum AuthenticationTag {
    /// The shortest tag for GCM, in octets. RFC 5084 §3.2.
    static let shortest = 12

    /// The octets of the tag in a ContentInfo that is in DER; `nil` if it is none with a tag.
    static func size(in der: [UInt8]) -> Int? {
        // ContentInfo ::= SEQUENCE { contentType, [0] EXPLICIT SEQUENCE { …, mac OCTET STRING, [2] attributes OPTIONAL } }
        der.withUnsafeBytes { octets in
            guard let info = ASN1Element(in: 0..<octets.count, of: octets), info.tag == 0x30,
                let type = ASN1Element(in: info.content, of: octets),
                let wrapper = ASN1Element(
                    in: type.content.upperBound..<info.content.upperBound, of: octets),
                wrapper.tag == 0xA0,
                let data = ASN1Element(in: wrapper.content, of: octets), data.tag == 0x30
            else { return nil }
            var size: Int?
            var rest = data.content
            while let next = ASN1Element(in: rest, of: octets) {
                if next.tag == 0x04 { size = next.content.count }
                rest = next.content.upperBound..<rest.upperBound
            }
            return size
        }
    }
}
