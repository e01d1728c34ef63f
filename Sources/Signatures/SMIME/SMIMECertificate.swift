import CMartletOpenSSL
import MartletCrypto
import MartletBytes
import MartletMIME

/// A certificate that says whose key this is. RFC 5280, RFC 8550.
public final class SMIMECertificate: Sendable {
    /// Whom it is about, in the form of RFC 4514.
    public let subject: String
    /// Who vouches for it, in the same form.
    public let issuer: String
    /// The mail addresses it is about, ASCII only. RFC 8550 §3.
    public let emailAddresses: [String]
    /// From when it is good.
    public let notBefore: MailDate
    /// Until when it is good.
    public let notAfter: MailDate
    /// The certificate itself.
    public let der: [UInt8]

    // Immutable once made, and OpenSSL lets threads share it.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Takes a reference of its own.
    init?(sharing certificate: OpaquePointer?) {
        guard let certificate, X509_up_ref(certificate) == 1 else { return nil }
        pointer = certificate
        subject = OpenSSL.name(X509_get_subject_name(certificate))
        issuer = OpenSSL.name(X509_get_issuer_name(certificate))
        emailAddresses = Self.addresses(of: certificate)
        notBefore = Self.date(X509_get0_notBefore(certificate))
        notAfter = Self.date(X509_get0_notAfter(certificate))
        var octets: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &octets)
        der = OpenSSL.take(octets, count) ?? []
    }

    deinit { X509_free(pointer) }

    /// Reads a certificate in DER.
    ///
    /// - Throws: `SignatureError`, `.invalidCertificate`.
    public convenience init(der: [UInt8]) throws(SignatureError) {
        ERR_clear_error()
        let certificate = der.withUnsafeBufferPointer { der in
            var start = der.baseAddress
            return d2i_X509(nil, &start, der.count)
        }
        defer { X509_free(certificate) }
        guard let certificate else {
            throw SignatureError(
                .invalidCertificate, "the certificate cannot be read", reason: OpenSSL.takeReason())
        }
        self.init(sharing: certificate)!
    }

    /// Reads all certificates of PEM octets.
    ///
    /// - Throws: `SignatureError`, `.invalidCertificate` where there is none or one is damaged.
    public static func certificates(pem: [UInt8]) throws(SignatureError) -> [SMIMECertificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var certificates: [SMIMECertificate] = []
        try OpenSSL.withReader(pem) { bio throws(SignatureError) in
            while let certificate = PEM.certificate(from: bio) {
                if let read = SMIMECertificate(sharing: certificate) { certificates.append(read) }
                X509_free(certificate)
            }
            let isAtEnd = PEM.isAtEnd
            guard isAtEnd, !certificates.isEmpty else {
                throw SignatureError(
                    .invalidCertificate,
                    isAtEnd
                        ? "there is no certificate in the PEM octets" : "a certificate is damaged",
                    reason: isAtEnd ? "" : OpenSSL.takeReason())
            }
        }
        return certificates
    }

    /// Whether the certificate is about this address: the local part is the same octet for octet, the domain but for the
    /// case of ASCII letters. RFC 5280 §7.5.
    public func isAbout(_ address: MailboxAddress) -> Bool {
        emailAddresses.contains { named in
            guard let at = named.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
            let domain = named.utf8[named.utf8.index(after: at)...]
            return named.utf8[..<at].elementsEqual(address.localPart.utf8)
                && domain.map(\.lowercased).elementsEqual(address.domain.utf8.map(\.lowercased))
        }
    }

    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    /// Whether the key may be encrypted to: what the certificate says about its use. RFC 8550 §4.4.
    var isForEncryption: Bool {
        defer { ERR_clear_error() }
        return X509_check_purpose(pointer, X509_PURPOSE_SMIME_ENCRYPT, 0) == 1
    }

    static func date(_ time: UnsafePointer<ASN1_TIME>?) -> MailDate {
        MailDate(secondsSinceEpoch: OpenSSL.seconds(time))
    }

    /// Printable ASCII only, each once; a certificate of a million names is cut.
    private static func addresses(of certificate: OpaquePointer) -> [String] {
        let texts = martlet_certificate_addresses(certificate)
        defer { martlet_texts_free(texts) }
        var addresses: [String] = []
        for index in 0..<min(martlet_texts_count(texts), 100) {
            guard let text = martlet_texts_get(texts, index) else { continue }
            let address = String(cString: text)
            guard address.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del }),
                !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses
    }
}

extension SMIMECertificate: Hashable {
    /// Compares octet for octet.
    public static func == (left: SMIMECertificate, right: SMIMECertificate) -> Bool {
        left.der == right.der
    }
    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// A stack of certificates, as OpenSSL wants them.
final class CertificateStack {
    let pointer: OpaquePointer

    init(_ certificates: [SMIMECertificate]) throws(SignatureError) {
        guard let pointer = martlet_chain_new() else {
            throw .openSSL("there is no memory for certificates")
        }
        self.pointer = pointer
        for certificate in certificates {
            guard certificate.withPointer({ martlet_chain_append(pointer, $0) }) == 1 else {
                throw .openSSL("there is no memory for certificates")
            }
        }
    }

    deinit { martlet_chain_free(pointer) }
}
