import MartletBytes
import MartletMIME

@testable import MartletSignatures

/// CMS structures with more in them than is sensible.
enum Structures {
    /// A message around a structure.
    static func message(_ structure: [UInt8]) -> Message {
        let header = Array(
            "From: jane@example.org\r\nContent-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                .utf8)
        return Message(parsing: header + Base64.encode(structure))
    }

    /// An element in DER.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = content.count
        return [tag, 0x84] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + content
    }

    /// SignedData with more digest algorithms before those it has.
    static func adding(algorithms count: Int, to der: [UInt8]) -> [UInt8] {
        func content(_ range: Range<Int>) -> ASN1Element {
            der.withUnsafeBytes { ASN1Element(in: range, of: $0)! }
        }
        let info = content(0..<der.count)
        let type = content(info.content)
        let wrapper = content(type.content.upperBound..<info.content.upperBound)
        let data = content(wrapper.content)
        let version = content(data.content)
        let algorithms = content(version.content.upperBound..<data.content.upperBound)
        // An AlgorithmIdentifier of the object identifier 1.2.3.
        let one: [UInt8] = [0x30, 0x04, 0x06, 0x02, 0x2A, 0x03]
        let all = Array(repeatElement(one, count: count).joined()) + der[algorithms.content]
        let signedData =
            der[version.content.lowerBound - 2..<version.content.upperBound] + element(0x31, all)
            + der[algorithms.content.upperBound..<data.content.upperBound]
        return element(
            0x30,
            Array(der[type.content.lowerBound - 2..<type.content.upperBound])
                + element(0xA0, element(0x30, Array(signedData))))
    }
}
