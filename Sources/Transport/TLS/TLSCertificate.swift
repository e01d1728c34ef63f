import CMartletOpenSSL
import MartletCrypto

/// An X.509 certificate as a peer sent it. RFC 5280.
public struct TLSCertificate: Sendable, Hashable {
    /// Its octets, DER.
    public let der: [UInt8]
    /// Whom it is for, as RFC 4514 text.
    public let subject: String
    /// Who signed it, as RFC 4514 text.
    public let issuer: String
    /// The host names and IP addresses it is for (subjectAltName); at most 1,000 are read.
    public let names: [String]
    /// From when it is valid.
    public let notBefore: TLSTime
    /// Until when it is valid.
    public let notAfter: TLSTime
    /// The digest of its public key.
    public let publicKeyPin: PublicKeyPin

    /// How many names are read at most.
    static let maximumNames = 1000

    /// Reads DER octets.
    ///
    /// - Returns: `nil` if they are no certificate.
    public init?(der: [UInt8]) {
        let parsed = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_X509(nil, &cursor, buffer.count)
        }
        guard let parsed else { return nil }
        defer { X509_free(parsed) }
        self.init(parsed)
    }

    /// Reads the first certificate of PEM octets.
    ///
    /// - Returns: `nil` if there is none.
    public init?(pem: [UInt8]) {
        guard let first = try? Certificate(pem: pem) else { return nil }
        guard let certificate = first.withPointer({ TLSCertificate($0) }) else { return nil }
        self = certificate
    }

    /// - Returns: `nil` if it cannot be written as DER.
    init?(_ certificate: OpaquePointer) {
        guard let der = OpenSSL.der(of: certificate), let pin = OpenSSL.pin(of: certificate)
        else { return nil }
        self.der = der
        subject = OpenSSL.text(of: X509_get_subject_name(certificate))
        issuer = OpenSSL.text(of: X509_get_issuer_name(certificate))
        names = OpenSSL.alternativeNames(of: certificate)
        notBefore = OpenSSL.time(X509_get0_notBefore(certificate))
        notAfter = OpenSSL.time(X509_get0_notAfter(certificate))
        publicKeyPin = pin
    }
}
