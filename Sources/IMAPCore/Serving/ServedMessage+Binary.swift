import MartletBytes
import MartletMIME

/// A body is in a transfer encoding that is not known, so that nobody can decode it: `NO [UNKNOWN-CTE]`. RFC 3516 §4.3.
package struct UnknownTransferEncoding: Error, Hashable, Sendable {
    /// The encoding by its name.
    package var name: String
}

extension ServedMessage {
    /// The octets of a part, decoded. RFC 3516 §4.2.
    ///
    /// What has parts, the message itself among them, is not encoded: its octets as they stand.
    package mutating func binary(
        _ number: PartNumber
    ) throws(UnknownTransferEncoding) -> SectionContent {
        guard number != .message else { return section(MessageSection.message) }
        guard let part = part(number) else { return .missing }
        let encoding = part.transferEncoding
        if part.kind != .leaf || encoding.isIdentity { return .piece(part.octets, part.bodyRange) }
        guard encoding.isKnown else { throw UnknownTransferEncoding(name: encoding.name) }
        return .made(part.decodedBody().value)
    }
}
