import CMartletOpenSSL
import MartletBytes

/// A certificate authority in memory, for servers and tests of one's own: ECDSA over P-256.
package struct CertificateAuthority: Sendable {
    /// What a certificate is for.
    package enum Purpose: Sendable {
        case server, client
    }

    /// How long certificates are valid around the present moment unless told, in seconds.
    package static let defaultValidity: ClosedRange<Int> = -3600...(825 * 86400)

    /// The authority's own certificate.
    package let certificatePEM: [UInt8]
    private let certificateDER: [UInt8]
    private let key: Secret

    /// Makes a key and a certificate that it signs itself.
    ///
    /// - Parameters:
    ///   - commonName: what people see.
    ///   - validity: from when until when it is valid, in seconds from now.
    package init(
        commonName: String, validity: ClosedRange<Int> = defaultValidity
    ) throws(TLSFailure) {
        let key = try Self.makeKey()
        defer { EVP_PKEY_free(key) }
        let certificate = try Self.makeCertificate(
            commonName: commonName, validity: validity, key: key, issuer: nil, signer: key,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
        defer { X509_free(certificate) }
        guard let pem = OpenSSL.octets({ PEM_write_bio_X509($0, certificate) == 1 }),
            let der = OpenSSL.der(of: certificate)
        else { throw Self.failure() }
        certificatePEM = pem
        certificateDER = der
        self.key = try Self.pem(of: key)
    }

    /// Issues a certificate with a new key.
    ///
    /// - Parameters:
    ///   - names: host names and IP addresses; a client's may be none.
    ///   - commonName: the subject; the first name unless given.
    ///   - purpose: server or client.
    ///   - validity: from when until when it is valid, in seconds from now.
    package func issue(
        names: [String], commonName: String? = nil, purpose: Purpose = .server,
        validity: ClosedRange<Int> = defaultValidity
    ) throws(TLSFailure) -> TLSIdentity {
        let key = try Self.makeKey()
        defer { EVP_PKEY_free(key) }
        let signer = try signingKey()
        defer { EVP_PKEY_free(signer) }
        let issuer = try ownCertificate()
        defer { X509_free(issuer) }
        var extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, purpose == .server ? "serverAuth" : "clientAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid"),
        ]
        if !names.isEmpty {
            extensions.append((NID_subject_alt_name, try Self.alternativeNames(names)))
        }
        let certificate = try Self.makeCertificate(
            commonName: commonName ?? names.first ?? "unnamed", validity: validity, key: key,
            issuer: issuer, signer: signer, extensions: extensions)
        defer { X509_free(certificate) }
        guard let pem = OpenSSL.octets({ PEM_write_bio_X509($0, certificate) == 1 }) else {
            throw Self.failure()
        }
        return TLSIdentity(certificateChain: pem, privateKey: try Self.pem(of: key))
    }

    // MARK: Pieces

    private static func failure() -> TLSFailure {
        .invalid("the certificate cannot be made", reason: OpenSSL.takeReason())
    }

    private static func makeKey() throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let key = martlet_generate_p256_key() else { throw failure() }
        return key
    }

    private static func pem(of key: OpaquePointer) throws(TLSFailure) -> Secret {
        let pem = OpenSSL.octets { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
        guard let pem else { throw failure() }
        return Secret(octets: pem)
    }

    private func signingKey() throws(TLSFailure) -> OpaquePointer {
        try key.withOctets { octets in
            Result { () throws(TLSFailure) in
                try PEM.privateKey(octets, passphrase: nil, named: "the authority")
            }
        }.get()
    }

    private func ownCertificate() throws(TLSFailure) -> OpaquePointer {
        let certificate = certificateDER.withUnsafeBufferPointer { octets in
            var cursor = octets.baseAddress
            return d2i_X509(nil, &cursor, octets.count)
        }
        guard let certificate else { throw Self.failure() }
        return certificate
    }

    /// The text OpenSSL reads; a name cannot carry a second one, since it has no comma.
    private static func alternativeNames(_ names: [String]) throws(TLSFailure) -> String {
        var items: [String] = []
        for name in names {
            let isPlain = name.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || "-._*:".utf8.contains($0)
            }
            guard isPlain, !name.isEmpty else {
                throw .invalid("\"\(name)\" is no host name in A-labels and no IP address")
            }
            items.append((OpenSSL.isAddress(name) ? "IP:" : "DNS:") + name)
        }
        return items.joined(separator: ",")
    }

    /// - Parameter issuer: `nil` where the certificate signs itself.
    private static func makeCertificate(
        commonName: String, validity: ClosedRange<Int>, key: OpaquePointer,
        issuer: OpaquePointer?, signer: OpaquePointer, extensions: [(Int32, String)]
    ) throws(TLSFailure) -> OpaquePointer {
        guard let certificate = X509_new() else { throw failure() }
        var isComplete = false
        defer { if !isComplete { X509_free(certificate) } }
        let subject = X509_get_subject_name(certificate)
        // The field holds 64 characters. RFC 5280 appendix A.1.
        let name = Array(commonName.utf8.prefix(64))
        guard X509_set_version(certificate, 2) == 1, setRandomSerial(of: certificate),
            X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound) != nil,
            X509_NAME_add_entry_by_NID(
                subject, NID_commonName, MBSTRING_FLAG, name,
                Int32(name.count), -1, 0) == 1,
            X509_set_issuer_name(
                certificate, issuer.map { X509_get_subject_name($0) } ?? subject) == 1,
            X509_set_pubkey(certificate, key) == 1
        else { throw failure() }
        for (nid, text) in extensions {
            var context = X509V3_CTX()
            martlet_v3_context(&context, issuer ?? certificate, certificate)
            guard let item = X509V3_EXT_nconf_nid(nil, &context, nid, text) else {
                throw failure()
            }
            defer { X509_EXTENSION_free(item) }
            guard X509_add_ext(certificate, item, -1) == 1 else { throw failure() }
        }
        guard X509_sign(certificate, signer, EVP_sha256()) > 0 else { throw failure() }
        isComplete = true
        return certificate
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
