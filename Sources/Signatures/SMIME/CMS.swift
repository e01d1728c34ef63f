import CMartletOpenSSL

/// Owns a CMS structure. RFC 5652.
final class CMS {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads one in DER or BER.
    convenience init(_ octets: [UInt8]) throws(SignatureError) {
        ERR_clear_error()
        let pointer = try octets.span.withUnsafeBytes { octets throws(SignatureError) in
            try OpenSSL.withBIO(octets) { d2i_CMS_bio($0, nil) }
        }
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

    func der() throws(SignatureError) -> [UInt8] {
        guard let octets = OpenSSL.octets({ i2d_CMS_bio($0, pointer) == 1 }) else {
            throw .openSSL("the CMS structure cannot be written")
        }
        return octets
    }
}
