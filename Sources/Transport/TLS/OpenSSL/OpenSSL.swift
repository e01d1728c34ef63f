import CMartletOpenSSL
import MartletCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension OpenSSL {
    static func sha256(_ octets: [UInt8]) -> [UInt8] {
        digest(octets, EVP_sha256()) ?? []
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

    static func text(of name: OpaquePointer?) -> String {
        let text = self.name(name)
        return text.isEmpty ? "nobody" : text
    }

    static func time(_ time: UnsafePointer<ASN1_TIME>?) -> TLSTime {
        TLSTime(secondsSinceEpoch: seconds(time))
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
