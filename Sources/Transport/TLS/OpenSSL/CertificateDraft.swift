import CMartletOpenSSL
import MartletCrypto
import MartletBytes

/// What a certificate is going to say. RFC 5280 §4.1.
struct CertificateDraft {
    let commonName: String
    let validity: ClosedRange<Int>
    /// Extensions as the texts that OpenSSL reads.
    var extensions: [(nid: Int32, text: String)]

    init(commonName: String, validity: ClosedRange<Int>, extensions: [(nid: Int32, text: String)]) {
        self.commonName = commonName
        self.validity = validity
        self.extensions = extensions
    }

    /// A server's or client's.
    ///
    /// - Throws: `.invalidConfiguration` when a name is neither a host name nor an address.
    init(
        names: [String], commonName: String?, purpose: CertificateAuthority.Purpose,
        validity: ClosedRange<Int>
    ) throws(TLSFailure) {
        self.commonName = commonName ?? names.first ?? "unnamed"
        self.validity = validity
        extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, purpose == .server ? "serverAuth" : "clientAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid"),
        ]
        if !names.isEmpty {
            extensions.append((NID_subject_alt_name, try Self.alternativeNames(names)))
        }
    }

    /// A name cannot carry a second one, since it has no comma.
    private static func alternativeNames(_ names: [String]) throws(TLSFailure) -> String {
        var items: [String] = []
        for name in names {
            let isPlain = name.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || "-._*:".utf8.contains($0)
            }
            let isAddress = OpenSSL.isAddress(name)
            guard isPlain, !name.isEmpty, isAddress || !name.contains(":") else {
                throw .invalid("a name for a certificate is no host name in A-labels or address")
            }
            items.append((isAddress ? "IP:" : "DNS:") + name)
        }
        return items.joined(separator: ",")
    }

    /// The certificate for `key`, signed, as PEM.
    ///
    /// - Parameter issuer: `nil` where the certificate signs itself.
    func signed(
        for key: OpaquePointer, by signer: OpaquePointer, issuer: OpaquePointer?
    ) throws(TLSFailure) -> [UInt8] {
        ERR_clear_error()
        guard let certificate = X509_new() else { throw .cannotMake() }
        defer { X509_free(certificate) }
        let subject = X509_get_subject_name(certificate)
        // The field holds 64 characters. RFC 5280 appendix A.1.
        let name = Array(commonName.utf8.prefix(64))
        guard X509_set_version(certificate, 2) == 1, Self.setRandomSerial(of: certificate),
            X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound) != nil,
            X509_NAME_add_entry_by_NID(
                subject, NID_commonName, MBSTRING_FLAG, name, Int32(name.count), -1, 0) == 1,
            X509_set_issuer_name(
                certificate, X509_get_subject_name(issuer ?? certificate)) == 1,
            X509_set_pubkey(certificate, key) == 1
        else { throw .cannotMake() }
        for (nid, text) in extensions {
            var context = X509V3_CTX()
            martlet_v3_context(&context, issuer ?? certificate, certificate)
            guard let item = X509V3_EXT_nconf_nid(nil, &context, nid, text) else {
                throw .cannotMake()
            }
            defer { X509_EXTENSION_free(item) }
            guard X509_add_ext(certificate, item, -1) == 1 else { throw .cannotMake() }
        }
        guard X509_sign(certificate, signer, EVP_sha256()) > 0,
            let pem = OpenSSL.octets({ PEM_write_bio_X509($0, certificate) == 1 })
        else { throw .cannotMake() }
        return pem
    }

    private static func setRandomSerial(of certificate: OpaquePointer) -> Bool {
        var octets = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&octets, 16) == 1 else { return false }
        // Positive and not zero. RFC 5280 §4.1.2.2.
        octets[0] = octets[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(octets, 16, nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }
}
