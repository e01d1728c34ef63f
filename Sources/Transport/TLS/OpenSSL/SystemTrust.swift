import CMartletOpenSSL
import MartletCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the system keeps the certificates it trusts.
///
/// As everywhere with OpenSSL: a file with all of them, which `SSL_CERT_FILE` names, and a directory
/// with an entry for each, which `SSL_CERT_DIR` names. Entries are named by a hash, so that only the
/// one that is needed is read; where there are none, the file serves, and only its index is made.
enum SystemTrust {
    /// Makes `store` trust what the system trusts.
    ///
    /// - Returns: what else it trusts, to be added when it is needed.
    /// - Throws: `.invalidConfiguration` when `SSL_CERT_FILE` names a file that cannot be read.
    static func add(to store: OpaquePointer) throws(TLSFailure) -> CertificateBundle? {
        let isHashed = directory.map { addDirectories($0, to: store) } ?? false
        guard let file = variable(X509_get_default_cert_file_env()) else {
            return isHashed ? nil : try? bundle(string(X509_get_default_cert_file()) ?? "", store)
        }
        return try bundle(file, store)
    }

    private static func bundle(
        _ file: String, _ store: OpaquePointer
    ) throws(TLSFailure) -> CertificateBundle? {
        let octets = try PEM.octets(of: .file(file))
        if let bundle = CertificateBundle(pem: octets) { return bundle }
        // What is not plain certificates is left to OpenSSL. It may be empty.
        X509_STORE_load_file(store, file)
        ERR_clear_error()
        return nil
    }

    private static var directory: String? {
        variable(X509_get_default_cert_dir_env()) ?? string(X509_get_default_cert_dir())
    }

    private static func addDirectories(_ list: String, to store: OpaquePointer) -> Bool {
        guard list.split(separator: ":").contains(where: { isHashed(String($0)) }) else {
            return false
        }
        X509_STORE_load_path(store, list)
        ERR_clear_error()
        return true
    }

    private static func string(_ text: UnsafePointer<CChar>?) -> String? {
        text.map { String(cString: $0) }
    }

    private static func variable(_ name: UnsafePointer<CChar>?) -> String? {
        name.flatMap { getenv($0) }.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether one of the entries is named like `5ed36f99.0`.
    private static func isHashed(_ directory: String) -> Bool {
        guard let stream = opendir(directory) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isHash = withUnsafeBytes(of: entry.pointee.d_name) { name in
                name.count > 10 && name[8] == UInt8(ascii: ".") && name[9] == UInt8(ascii: "0")
                    && name[10] == 0
            }
            if isHash { return true }
        }
        return false
    }
}
