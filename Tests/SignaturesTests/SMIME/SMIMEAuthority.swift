import CMartletOpenSSL
import MartletCrypto
import MartletBytes

@testable import MartletSignatures

/// A certificate authority for S/MIME in memory.
struct SMIMEAuthority {
    enum KeyKind: CaseIterable { case rsa, ellipticCurve }

    struct CannotMake: Error {}

    let certificate: SMIMECertificate
    private let pem: (certificate: [UInt8], key: Secret)

    init(name: String = "Test Authority") throws {
        pem = try Self.make(
            name: name, addresses: [], kind: .ellipticCurve, seconds: -3600...86_400,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE"),
                (NID_key_usage, "critical,keyCertSign"),
            ],
            issuer: nil)
        certificate = try SMIMECertificate.certificates(pem: pem.certificate)[0]
    }

    /// An identity with a new key.
    func identity(
        _ addresses: [String], kind: KeyKind = .ellipticCurve,
        seconds: ClosedRange<Int> = -3600...86_400,
        usage: String = "emailProtection",
        keyUsage: String = "digitalSignature,keyEncipherment,keyAgreement"
    ) throws -> SMIMEIdentity {
        let made = try Self.make(
            name: addresses.first ?? "nobody", addresses: addresses, kind: kind, seconds: seconds,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,\(keyUsage)"),
                (NID_ext_key_usage, usage),
            ], issuer: pem)
        return try SMIMEIdentity(certificates: made.certificate, key: made.key)
    }

    /// The files of an identity, for other programs.
    func files(_ address: String, kind: KeyKind) throws -> (certificate: [UInt8], key: Secret) {
        try Self.make(
            name: address, addresses: [address], kind: kind, seconds: -3600...86_400,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_ext_key_usage, "emailProtection"),
            ], issuer: pem)
    }

    var certificatePEM: [UInt8] { pem.certificate }

    private static func make(
        name: String, addresses: [String], kind: KeyKind, seconds: ClosedRange<Int>,
        extensions: [(Int32, String)], issuer: (certificate: [UInt8], key: Secret)?
    ) throws -> (certificate: [UInt8], key: Secret) {
        guard let key = kind == .rsa ? martlet_generate_rsa_key(2048) : martlet_generate_p256_key(),
            let certificate = X509_new()
        else { throw CannotMake() }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        let issuerKey = try issuer.map { try PEM.privateKey($0.key, passphrase: nil) }
        defer { EVP_PKEY_free(issuerKey) }
        let subject = X509_get_subject_name(certificate)
        let octets = Array(name.utf8)
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...1_000_000_000))
        X509_gmtime_adj(X509_getm_notBefore(certificate), seconds.lowerBound)
        X509_gmtime_adj(X509_getm_notAfter(certificate), seconds.upperBound)
        X509_NAME_add_entry_by_NID(
            subject, NID_commonName, MBSTRING_FLAG, octets, Int32(octets.count), -1, 0)
        X509_set_pubkey(certificate, key)
        func finish(_ issuer: OpaquePointer) throws -> [UInt8] {
            X509_set_issuer_name(certificate, X509_get_subject_name(issuer))
            let names =
                addresses.isEmpty
                ? []
                : [(NID_subject_alt_name, addresses.map { "email:" + $0 }.joined(separator: ","))]
            for (nid, text) in extensions + names {
                var context = X509V3_CTX()
                martlet_v3_context(&context, issuer, certificate)
                guard let item = X509V3_EXT_nconf_nid(nil, &context, nid, text) else {
                    throw CannotMake()
                }
                X509_add_ext(certificate, item, -1)
                X509_EXTENSION_free(item)
            }
            guard X509_sign(certificate, issuerKey ?? key, EVP_sha256()) > 0,
                let pem = OpenSSL.octets({ PEM_write_bio_X509($0, certificate) == 1 })
            else { throw CannotMake() }
            return pem
        }
        let pem: [UInt8]
        if let issuer {
            pem = try SMIMECertificate.certificates(pem: issuer.certificate)[0].withPointer {
                try finish($0)
            }
        } else {
            pem = try finish(certificate)
        }
        guard
            let keyPEM = OpenSSL.octets({
                PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1
            })
        else {
            throw CannotMake()
        }
        return (pem, Secret(octets: keyPEM))
    }
}
