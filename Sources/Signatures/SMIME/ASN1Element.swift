import CMartletOpenSSL

/// An element in BER, which DER is a part of. X.690 §8.1.
struct ASN1Element {
    /// Class and number of the tag, as the first octet has them: tags of CMS have no others.
    let tag: UInt8
    let isConstructed: Bool
    /// Without a length: it goes on until an end-of-contents.
    let isIndefinite: Bool
    /// Of an indefinite element, the start is known alone.
    let content: Range<Int>

    /// Reads the head of the element at `range.lowerBound`; `nil` if there is none within `range`.
    init?(in range: Range<Int>, of octets: UnsafeRawBufferPointer) {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= octets.count,
            let base = octets.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        let start = base + range.lowerBound
        var (next, length, number, kind) = (Optional(start), 0, Int32(0), Int32(0))
        let result = ASN1_get_object(&next, &length, &number, &kind, range.count)
        guard result & 0x80 == 0, let next, length >= 0 else {
            ERR_clear_error()
            return nil
        }
        tag = start[0]
        isConstructed = result & V_ASN1_CONSTRUCTED != 0
        isIndefinite = result & 1 != 0
        let contentStart = next - base
        content = contentStart..<(contentStart + (isIndefinite ? 0 : length))
    }

    /// End-of-contents, X.690 §8.1.5.
    private var isEnd: Bool { tag == 0 && !isIndefinite && content.isEmpty }

    /// How many elements are in the first of `octets`, itself counted; `nil` if it is not whole, and more than `limit`
    /// where it has more.
    static func count(in octets: UnsafeRawBufferPointer, limit: Int) -> Int? {
        // Those that are open: until where their content can go, and whether an end-of-contents ends it.
        var open: [(end: Int, isIndefinite: Bool)] = []
        var (count, position) = (0, 0)
        repeat {
            let end = open.last?.end ?? octets.count
            if let last = open.last, !last.isIndefinite, position == last.end {
                open.removeLast()
                continue
            }
            guard let element = ASN1Element(in: position..<end, of: octets) else { return nil }
            position = element.content.upperBound
            if element.isEnd {
                guard open.popLast()?.isIndefinite ?? false else { return nil }
                continue
            }
            count += 1
            guard count <= limit else { return count }
            if element.isConstructed {
                position = element.content.lowerBound
                open.append(
                    (element.isIndefinite ? end : element.content.upperBound, element.isIndefinite))
            }
        } while !open.isEmpty
        return count
    }
}
