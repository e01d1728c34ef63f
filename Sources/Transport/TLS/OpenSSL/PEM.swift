import CMartletOpenSSL
import MartletCrypto
import MartletBytes

extension PEM {
    /// The largest PEM file that is read, in octets.
    static let maximumOctets = 16 << 20

    /// The octets of a file or of memory.
    static func octets(of source: TLSTrust.Source) throws(TLSFailure) -> [UInt8] {
        switch source {
        case .octets(let octets): return octets
        case .file(let path):
            ERR_clear_error()
            guard let bio = BIO_new_file(path, "rb") else {
                throw .invalid("cannot read \(path)", reason: OpenSSL.takeReason())
            }
            defer { BIO_free(bio) }
            var octets: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = BIO_read(bio, &piece, Int32(piece.count))
                if count <= 0 { break }
                octets += piece.prefix(Int(count))
                guard octets.count <= maximumOctets else {
                    throw .invalid("\(path) is larger than \(maximumOctets) octets")
                }
            }
            return octets
        }
    }

    static func name(of source: TLSTrust.Source) -> String {
        switch source {
        case .file(let path): path
        case .octets: "the PEM octets given"
        }
    }

    /// Calls `body` with each certificate in turn; it is freed afterwards.
    ///
    /// - Throws: `.invalidConfiguration` when there is none.
    static func forEachCertificate(
        in octets: [UInt8], named name: String,
        _ body: (OpaquePointer) throws(TLSFailure) -> Void
    ) throws(TLSFailure) {
        try forEach(in: octets, thing: "certificate", named: name) { bio throws(TLSFailure) in
            guard let certificate = certificate(from: bio) else {
                return false
            }
            defer { X509_free(certificate) }
            try body(certificate)
            return true
        }
    }

    /// Calls `body` with each certificate revocation list in turn; it is freed afterwards.
    static func forEachRevocationList(
        in octets: [UInt8], named name: String,
        _ body: (OpaquePointer) throws(TLSFailure) -> Void
    ) throws(TLSFailure) {
        try forEach(in: octets, thing: "revocation list", named: name) { bio throws(TLSFailure) in
            guard let list = revocationList(from: bio) else {
                return false
            }
            defer { X509_CRL_free(list) }
            try body(list)
            return true
        }
    }

    private static func forEach(
        in octets: [UInt8], thing: String, named name: String,
        _ next: (OpaquePointer) throws(TLSFailure) -> Bool
    ) throws(TLSFailure) {
        ERR_clear_error()
        let count = try octets.span.withUnsafeBytes { octets throws(TLSFailure) in
            try OpenSSL.withBIO(octets) { bio throws(TLSFailure) in
                guard let bio else { throw .invalid("there is nothing to read") }
                var count = 0
                while try next(bio) { count += 1 }
                return count
            }
        }
        let isDamaged = !isAtEnd
        let reason = OpenSSL.takeReason()
        guard count > 0, !isDamaged else {
            throw .invalid(
                isDamaged ? "a \(thing) in \(name) is damaged" : "there is no \(thing) in \(name)",
                reason: reason)
        }
    }

    /// The first private key. The caller frees it.
    static func privateKey(
        _ octets: UnsafeBufferPointer<UInt8>, passphrase: Secret?, named name: String
    ) throws(TLSFailure) -> OpaquePointer {
        let key = privateKey(octets, passphrase: passphrase)
        guard let key else {
            let isEncrypted = octets.firstRange(of: Array("ENCRYPTED".utf8)) != nil
            throw .invalid(
                isEncrypted
                    ? passphrase == nil
                        ? "the private key in \(name) needs its passphrase"
                        : "the passphrase does not open the private key in \(name)"
                    : "there is no private key in \(name)",
                reason: OpenSSL.takeReason())
        }
        return key
    }
}

extension TLSFailure {
    static func invalid(_ problem: String, reason: String = "") -> TLSFailure {
        TLSFailure(.invalidConfiguration(problem), reason: reason)
    }
}
