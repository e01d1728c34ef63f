import CMartletOpenSSL
import MartletCrypto
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
    private let key: Secret

    /// Makes a key and a certificate that it signs itself.
    ///
    /// - Parameters:
    ///   - commonName: what people see.
    ///   - validity: from when until when it is valid, in seconds from now.
    package init(
        commonName: String, validity: ClosedRange<Int> = defaultValidity
    ) throws(TLSFailure) {
        let key = try PrivateKey()
        let draft = CertificateDraft(
            commonName: commonName, validity: validity,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
        certificatePEM = try key.withPointer { key throws(TLSFailure) in
            try draft.signed(for: key, by: key, issuer: nil)
        }
        self.key = try key.pem()
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
        let key = try PrivateKey()
        let draft = try CertificateDraft(
            names: names, commonName: commonName, purpose: purpose, validity: validity)
        let pem = try key.withPointer { key throws(TLSFailure) in
            try withSigner { signer, issuer throws(TLSFailure) in
                try draft.signed(for: key, by: signer, issuer: issuer)
            }
        }
        return TLSIdentity(certificateChain: pem, privateKey: try key.pem())
    }

    /// A server's identity that nobody else vouches for.
    package static func selfSignedIdentity(
        names: [String], validity: ClosedRange<Int> = defaultValidity
    ) throws(TLSFailure) -> TLSIdentity {
        let key = try PrivateKey()
        let draft = try CertificateDraft(
            names: names, commonName: nil, purpose: .server, validity: validity)
        let pem = try key.withPointer { key throws(TLSFailure) in
            try draft.signed(for: key, by: key, issuer: nil)
        }
        return TLSIdentity(certificateChain: pem, privateKey: try key.pem())
    }

    /// A revocation list, PEM, that names the certificates of `identities` and is good for a day.
    package func revocationListPEM(
        revoking identities: [TLSIdentity]
    ) throws(TLSFailure) -> [UInt8] {
        guard let list = X509_CRL_new(), let now = X509_gmtime_adj(nil, 0),
            let tomorrow = X509_gmtime_adj(nil, 86400)
        else { throw .cannotMake() }
        defer {
            X509_CRL_free(list)
            ASN1_TIME_free(now)
            ASN1_TIME_free(tomorrow)
        }
        guard X509_CRL_set_version(list, 1) == 1, X509_CRL_set1_lastUpdate(list, now) == 1,
            X509_CRL_set1_nextUpdate(list, tomorrow) == 1
        else { throw .cannotMake() }
        for identity in identities {
            guard let entry = X509_REVOKED_new() else { throw .cannotMake() }
            let isComplete = try Certificate(pem: PEM.octets(of: identity.chain)).withPointer {
                X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber($0)) == 1
            }
            guard isComplete, X509_REVOKED_set_revocationDate(entry, now) == 1,
                X509_CRL_add0_revoked(list, entry) == 1
            else {
                X509_REVOKED_free(entry)
                throw .cannotMake()
            }
        }
        X509_CRL_sort(list)
        return try withSigner { signer, issuer throws(TLSFailure) in
            guard X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer)) == 1,
                X509_CRL_sign(list, signer, EVP_sha256()) > 0,
                let pem = OpenSSL.octets({ PEM_write_bio_X509_CRL($0, list) == 1 })
            else { throw .cannotMake() }
            return pem
        }
    }

    /// Lends the authority's key and certificate.
    private func withSigner<Result>(
        _ body: (_ key: OpaquePointer, _ certificate: OpaquePointer) throws(TLSFailure) -> Result
    ) throws(TLSFailure) -> Result {
        let signer = try PrivateKey(pem: key, passphrase: nil, named: "the authority")
        let issuer = try Certificate(pem: certificatePEM)
        return try signer.withPointer { signer throws(TLSFailure) in
            try issuer.withPointer { issuer throws(TLSFailure) in try body(signer, issuer) }
        }
    }
}
