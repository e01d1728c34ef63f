import CMartletOpenSSL

// Functions that OpenSSL calls, on the thread that called it. They are top-level functions since a
// closure would take on the isolation of the place it is written in.

/// The engine that an `SSL` belongs to. It outlives its `SSL`.
private func engine(of ssl: OpaquePointer?) -> OpenSSLEngine? {
    guard let ssl, let pointer = SSL_get_ex_data(ssl, 0) else { return nil }
    return Unmanaged<OpenSSLEngine>.fromOpaque(pointer).takeUnretainedValue()
}

/// Judges the peer's chain: 1 good, 0 refused.
func verifyChain(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let store,
        let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let engine = engine(of: OpaquePointer(ssl))
    else { return 0 }
    return engine.verify(store) ? 1 : 0
}

/// The server asks for a certificate and there is none to show: 0 goes on without.
func noteCertificateRequest(
    _ ssl: OpaquePointer?, _ certificate: UnsafeMutablePointer<OpaquePointer?>?,
    _ key: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    engine(of: ssl)?.isAskedForCertificate = true
    return 0
}

/// A session that can be taken up again: 0 leaves the object to OpenSSL.
func keepSession(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    if let session { engine(of: ssl)?.keep(session) }
    return 0
}
