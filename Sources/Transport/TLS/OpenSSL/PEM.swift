import CMartletOpenSSL
import MartletBytes

/// Reads certificates, revocation lists and keys from PEM. RFC 7468.
enum PEM {
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
            guard let certificate = PEM_read_bio_X509(bio, nil, noPassphrase, nil) else {
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
            guard let list = PEM_read_bio_X509_CRL(bio, nil, noPassphrase, nil) else {
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
        let count = try withBIO(octets) { bio throws(TLSFailure) in
            var count = 0
            while try next(bio) { count += 1 }
            return count
        }
        let isDamaged = !isAtEnd
        let reason = OpenSSL.takeReason()
        guard count > 0, !isDamaged else {
            throw .invalid(
                isDamaged ? "a \(thing) in \(name) is damaged" : "there is no \(thing) in \(name)",
                reason: reason)
        }
    }

    /// Whether the last reading failed for want of another item, and not since one is damaged.
    static var isAtEnd: Bool {
        let code = ERR_peek_last_error()
        return code == 0
            || (ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE)
    }

    /// The first private key. The caller frees it.
    static func privateKey(
        _ octets: UnsafeBufferPointer<UInt8>, passphrase: Secret?, named name: String
    ) throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let bio = BIO_new_mem_buf(octets.baseAddress, Int32(clamping: octets.count)) else {
            throw .invalid("there is no private key in \(name)")
        }
        defer { BIO_free(bio) }
        let key: OpaquePointer?
        if let passphrase {
            key = passphrase.withOctets { octets in
                var lent = octets
                return PEM_read_bio_PrivateKey(bio, nil, givePassphrase, &lent)
            }
        } else {
            key = PEM_read_bio_PrivateKey(bio, nil, noPassphrase, nil)
        }
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

    private static func withBIO<Result>(
        _ octets: [UInt8], _ body: (OpaquePointer) throws(TLSFailure) -> Result
    ) throws(TLSFailure) -> Result {
        try octets.withUnsafeBufferPointer { buffer throws(TLSFailure) in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
            else { throw .invalid("there is nothing to read") }
            defer { BIO_free(bio) }
            return try body(bio)
        }
    }
}

extension TLSFailure {
    static func invalid(_ problem: String, reason: String = "") -> TLSFailure {
        TLSFailure(.invalidConfiguration(problem), reason: reason)
    }
}

// OpenSSL asks at the terminal unless it is given a function; these never do.

private func noPassphrase(
    _ target: UnsafeMutablePointer<CChar>?, _ limit: Int32, _ isWriting: Int32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }

private func givePassphrase(
    _ target: UnsafeMutablePointer<CChar>?, _ limit: Int32, _ isWriting: Int32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let target, let argument else { return -1 }
    let octets = argument.load(as: UnsafeBufferPointer<UInt8>.self)
    guard octets.count <= Int(limit) else { return -1 }
    for (index, octet) in octets.enumerated() { target[index] = CChar(bitPattern: octet) }
    return Int32(octets.count)
}
