import CMartletOpenSSL

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the system keeps the certificates it trusts.
enum SystemTrust {
    /// Makes `store` trust what the system trusts.
    ///
    /// Where there is a directory with an entry per certificate, named by its hash, only the one that
    /// is needed is read; reading the whole bundle takes longer than a handshake.
    static func add(to store: OpaquePointer) throws(TLSFailure) {
        let file = variable(X509_get_default_cert_file_env())
        let directory = variable(X509_get_default_cert_dir_env())
        if let directory = directory ?? string(X509_get_default_cert_dir()), file == nil,
            directory.split(separator: ":").contains(where: { isHashed(String($0)) })
        {
            guard X509_STORE_load_locations(store, nil, directory) == 1 else {
                throw .invalid("cannot use \(directory)", reason: OpenSSL.takeReason())
            }
            return
        }
        guard X509_STORE_set_default_paths(store) == 1 else {
            throw .invalid("cannot use the system's certificates", reason: OpenSSL.takeReason())
        }
        // A file or directory that is absent is no error of the caller's.
        ERR_clear_error()
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
