import CMartletOpenSSL

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Small readings from OpenSSL's objects.
enum OpenSSL {
    /// The library's words for the oldest error of this thread, and none after that.
    static func takeReason() -> String {
        defer { ERR_clear_error() }
        let code = ERR_peek_error()
        return code == 0 ? "" : reason(code)
    }

    static func reason(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    static func sha256(_ octets: [UInt8]) -> [UInt8] {
        digest(octets, EVP_sha256()) ?? []
    }

    static func digest(_ octets: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8]? {
        var size: UInt32 = 0
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        guard let algorithm,
            EVP_Digest(octets, octets.count, &digest, &size, algorithm, nil) == 1
        else { return nil }
        return [UInt8](digest.prefix(Int(size)))
    }

    static func der(of certificate: OpaquePointer) -> [UInt8]? {
        var octets: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &octets)
        return take(octets, count)
    }

    static func pin(of certificate: OpaquePointer) -> PublicKeyPin? {
        var octets: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &octets)
        return take(octets, count).flatMap { PublicKeyPin(sha256: sha256($0)) }
    }

    private static func take(_ octets: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8]? {
        guard count > 0, let octets else { return nil }
        defer { CRYPTO_free(octets, #file, #line) }
        return [UInt8](UnsafeBufferPointer(start: octets, count: Int(count)))
    }

    /// What a memory BIO made by `write` holds.
    static func octets(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) else { return nil }
        var start: UnsafePointer<UInt8>?
        let count = martlet_bio_memory(bio, &start)
        return [UInt8](UnsafeBufferPointer(start: start, count: max(0, count)))
    }

    static func text(of name: OpaquePointer?) -> String {
        guard let name, let octets = octets({ martlet_name_print($0, name) >= 0 }) else {
            return ""
        }
        let text = String(decoding: octets, as: UTF8.self)
        return text.isEmpty ? "nobody" : text
    }

    static func time(_ time: UnsafePointer<ASN1_TIME>?) -> TLSTime {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else {
            return TLSTime(secondsSinceEpoch: 0)
        }
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            return TLSTime(secondsSinceEpoch: 0)
        }
        return TLSTime(secondsSinceEpoch: Int64(days) * 86400 + Int64(seconds))
    }

    /// The host names and addresses of the subjectAltName extension; printable ASCII only.
    static func alternativeNames(of certificate: OpaquePointer) -> [String] {
        guard let found = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
            return []
        }
        let names = OpaquePointer(found)
        defer { martlet_names_free(names) }
        var result: [String] = []
        let count = min(Int(martlet_names_count(names)), TLSCertificate.maximumNames)
        for index in 0..<count {
            var start: UnsafePointer<UInt8>?
            var size: Int32 = 0
            let type = martlet_names_get(names, Int32(index), &start, &size)
            guard type >= 0, size >= 0 else { continue }
            let octets = [UInt8](UnsafeBufferPointer(start: start, count: Int(size)))
            if type == GEN_DNS {
                let shown = octets.prefix(255).map { (0x21...0x7E).contains($0) ? $0 : 0x3F }
                result.append(String(decoding: shown, as: UTF8.self))
            } else if let address = address(octets) {
                result.append(address)
            }
        }
        return result
    }

    /// An IPv4 or IPv6 address as text.
    static func address(_ octets: [UInt8]) -> String? {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: 64)
        guard inet_ntop(octets.count == 4 ? AF_INET : AF_INET6, octets, &text, 64) != nil else {
            return nil
        }
        let end = text.firstIndex(of: 0) ?? text.count
        return String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether `host` is an IPv4 or IPv6 address.
    static func isAddress(_ host: String) -> Bool {
        guard let octets = a2i_IPADDRESS(host) else {
            ERR_clear_error()
            return false
        }
        ASN1_OCTET_STRING_free(octets)
        return true
    }
}
