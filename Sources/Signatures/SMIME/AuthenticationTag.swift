/// The tag that shows changes of encrypted content: the `mac` of an AuthEnvelopedData. RFC 5083 §2.1.
///
/// OpenSSL takes one that somebody has cut to an octet or two, so that a forgery passes once in 256 or 65,536 times.
enum AuthenticationTag {
    /// The shortest tag for GCM, in octets. RFC 5084 §3.2.
    static let shortest = 12

    /// The octets of the tag in a ContentInfo that is in DER; `nil` if it is none with a tag.
    static func size(in der: [UInt8]) -> Int? {
        // ContentInfo ::= SEQUENCE { contentType, [0] EXPLICIT SEQUENCE { …, mac OCTET STRING, [2] attributes OPTIONAL } }
        guard let info = element(at: 0, in: der[...]), info.tag == 0x30,
            let type = element(at: info.content.lowerBound, in: der[info.content]),
            let wrapper = element(at: type.content.upperBound, in: der[info.content]),
            wrapper.tag == 0xA0,
            let data = element(at: wrapper.content.lowerBound, in: der[wrapper.content]),
            data.tag == 0x30
        else { return nil }
        var size: Int?
        var start = data.content.lowerBound
        while let next = element(at: start, in: der[data.content]) {
            if next.tag == 0x04 { size = next.content.count }
            start = next.content.upperBound
        }
        return size
    }

    /// The element that starts at `start`: tags of one octet, definite lengths.
    private static func element(
        at start: Int, in der: ArraySlice<UInt8>
    ) -> (tag: UInt8, content: Range<Int>)? {
        guard start + 2 <= der.endIndex else { return nil }
        let (tag, first) = (der[start], Int(der[start + 1]))
        var (content, length) = (start + 2, first)
        if first >= 0x80 {
            let count = first & 0x7F
            guard (1...4).contains(count), content + count <= der.endIndex else { return nil }
            length = der[content..<(content + count)].reduce(0) { $0 << 8 | Int($1) }
            content += count
        }
        guard length <= der.endIndex - content else { return nil }
        return (tag, content..<(content + length))
    }
}
