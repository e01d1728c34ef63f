import CMartletOpenSSL
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
        subject = Self.text(of: X509_get_subject_name(certificate))
        issuer = Self.text(of: X509_get_issuer_name(certificate))
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
        try pem.span.withUnsafeBytes { octets throws(SignatureError) in
            try OpenSSL.withBIO(octets) { bio throws(SignatureError) in
                while let certificate = PEM_read_bio_X509(bio, nil, noPassphrase, nil) {
                    if let read = SMIMECertificate(sharing: certificate) {
                        certificates.append(read)
                    }
                    X509_free(certificate)
                }
                let code = ERR_peek_last_error()
                let isAtEnd =
                    ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE
                guard isAtEnd, !certificates.isEmpty else {
                    throw SignatureError(
                        .invalidCertificate,
                        isAtEnd
                            ? "there is no certificate in the PEM octets"
                            : "a certificate is damaged",
                        reason: isAtEnd ? "" : OpenSSL.takeReason())
                }
            }
        }
        return certificates
    }

    /// Whether the certificate is about this address. Case does not count, as in nearly all of mail.
    public func isAbout(_ address: MailboxAddress) -> Bool {
        let wanted = address.localPart + "@" + address.domain
        return emailAddresses.contains { $0.lowercased() == wanted.lowercased() }
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

    private static func text(of name: OpaquePointer?) -> String {
        let octets = name.flatMap { name in OpenSSL.octets { martlet_name_print($0, name) >= 0 } }
        return String(decoding: octets ?? [], as: UTF8.self)
    }

    static func date(_ time: UnsafePointer<ASN1_TIME>?) -> MailDate {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else {
            return MailDate(secondsSinceEpoch: 0)
        }
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            return MailDate(secondsSinceEpoch: 0)
        }
        return MailDate(secondsSinceEpoch: Int64(days) * 86_400 + Int64(seconds))
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
