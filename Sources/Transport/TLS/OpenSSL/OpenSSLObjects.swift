import CMartletOpenSSL
import MartletCrypto
import MartletBytes

// The pointers are lent for the time of a closure: one that is read from a value and kept may
// outlive the value, which ends with its last use.

/// Owns an `EVP_PKEY`.
struct PrivateKey: ~Copyable {
    private let pointer: OpaquePointer

    /// A new key on the curve P-256.
    init() throws(TLSFailure) {
        ERR_clear_error()
        guard let pointer = martlet_generate_p256_key() else { throw .cannotMake() }
        self.pointer = pointer
    }

    /// The first private key of PEM octets.
    init(pem: Secret, passphrase: Secret?, named name: String) throws(TLSFailure) {
        let result = pem.withOctets { octets in
            Result { () throws(TLSFailure) in
                try PEM.privateKey(octets, passphrase: passphrase, named: name)
            }
        }
        pointer = try result.get()
    }

    func pem() throws(TLSFailure) -> Secret {
        guard
            let pem = OpenSSL.octets({
                PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) == 1
            })
        else { throw .cannotMake() }
        return Secret(octets: pem)
    }

    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    deinit { EVP_PKEY_free(pointer) }
}

/// Owns an `X509`.
struct Certificate: ~Copyable {
    private let pointer: OpaquePointer

    /// The first certificate of PEM octets.
    init(pem octets: [UInt8]) throws(TLSFailure) {
        var first: OpaquePointer?
        try PEM.forEachCertificate(in: octets, named: "the PEM octets given") { certificate in
            if first == nil, X509_up_ref(certificate) == 1 { first = certificate }
        }
        guard let first else { throw .cannotMake() }
        pointer = first
    }

    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    deinit { X509_free(pointer) }
}

extension TLSFailure {
    static func cannotMake() -> TLSFailure {
        .invalid("the certificate cannot be made", reason: OpenSSL.takeReason())
    }
}
