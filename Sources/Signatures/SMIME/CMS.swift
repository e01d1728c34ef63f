import CMartletOpenSSL
import MartletCrypto

/// Owns a CMS structure. RFC 5652.
final class CMS {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads one in DER or BER.
    ///
    /// Each element becomes objects of a hundred octets and more, and lists have no end of their own: they are counted
    /// before the library sees them. Content that was written in pieces has one for each of them.
    convenience init(_ octets: [UInt8], limits: SignatureLimits) throws(SignatureError) {
        ERR_clear_error()
        let limit = limits.cmsElementCount
        let allowed = limit.addingReportingOverflow(octets.count / 64)
        let count = octets.withUnsafeBytes {
            ASN1Element.count(in: $0, limit: allowed.overflow ? .max : allowed.partialValue)
        }
        guard allowed.overflow || count ?? 0 <= allowed.partialValue else {
            throw SignatureError(
                .tooLarge(limit: limit), "the S/MIME part has too many elements")
        }
        let pointer = count == nil ? nil : try OpenSSL.withReader(octets) { d2i_CMS_bio($0, nil) }
        guard let pointer else {
            throw SignatureError(
                .notCMS, "the S/MIME part is damaged: it is no CMS structure",
                reason: OpenSSL.takeReason())
        }
        self.init(owning: pointer)
    }

    deinit { CMS_ContentInfo_free(pointer) }

    /// What it is, as a NID.
    var type: Int32 { OBJ_obj2nid(CMS_get0_type(pointer)) }

    /// The signed content, if it is in the structure.
    var content: [UInt8]? {
        var start: UnsafePointer<UInt8>?
        let count = martlet_cms_content(pointer, &start)
        return count < 0 ? nil : [UInt8](UnsafeBufferPointer(start: start, count: count))
    }

    func der() throws(SignatureError) -> [UInt8] {
        guard let octets = OpenSSL.octets({ i2d_CMS_bio($0, pointer) == 1 }) else {
            throw .openSSL("the CMS structure cannot be written")
        }
        return octets
    }
}
