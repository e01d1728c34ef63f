import MartletBytes

/// A certificate with its private key: what a server shows, or a client that is asked for one.
public struct TLSIdentity: Sendable {
    enum Key: Sendable {
        case file(String)
        case octets(Secret)
    }

    let chain: TLSTrust.Source
    let key: Key
    let passphrase: Secret?

    /// An identity in memory.
    ///
    /// - Parameters:
    ///   - certificateChain: PEM: the own certificate first, then the intermediates.
    ///   - privateKey: PEM.
    ///   - passphrase: what the key is encrypted with, if it is.
    public init(certificateChain: [UInt8], privateKey: Secret, passphrase: Secret? = nil) {
        chain = .octets(certificateChain)
        key = .octets(privateKey)
        self.passphrase = passphrase
    }

    /// An identity in PEM files, which are read when the first connection is prepared. Both may be
    /// the same file.
    public init(
        certificateChainFile: String, privateKeyFile: String, passphrase: Secret? = nil
    ) {
        chain = .file(certificateChainFile)
        key = .file(privateKeyFile)
        self.passphrase = passphrase
    }
}
