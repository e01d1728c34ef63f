import MartletFiles
import MartletSandbox

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a sandbox writes for its clients, and takes away at its end.
struct SandboxFiles: Sendable {
    /// The certificate authority in PEM.
    let authorityPath: String
    private let temporaryFolder: String?
    private let mailFolder: String?

    /// Writes the certificate authority.
    ///
    /// - Parameters:
    ///   - folder: where to; `nil` makes a private one.
    ///   - mailFolder: where messages are written; `nil` for nowhere.
    init(_ sandbox: Sandbox, folder: String?, mailFolder: String?) throws(FileError) {
        if let folder { try Self.makeFolder(folder) }
        if let mailFolder { try Self.makeFolder(mailFolder) }
        self.mailFolder = mailFolder
        temporaryFolder = folder == nil ? try TemporaryFolder.make(prefix: "martlet-sandbox") : nil
        authorityPath = Self.path("ca.pem", in: folder ?? temporaryFolder ?? ".")
        // It holds nothing secret, and clients may run as other users.
        try AtomicFile.write(sandbox.certificateAuthorityPEM, to: authorityPath, mode: 0o644)
    }

    private static func makeFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FileError(operation: .create, path: path, code: errno)
        }
    }

    private static func path(_ name: String, in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    /// Writes a message that came, where a folder was named for that.
    func keep(_ event: Sandbox.Event) throws(FileError) {
        guard let mailFolder, case .message(let message) = event else { return }
        try AtomicFile.write(message.octets, to: Self.path("\(message.id).eml", in: mailFolder))
    }

    /// Tells programs that wait for it that mail is taken.
    func announce(_ json: String, in path: String?) throws(FileError) {
        guard let path else { return }
        try AtomicFile.write(Array((json + "\n").utf8), to: path, mode: 0o644)
    }

    /// Removes what means nothing without the running sandbox.
    func remove(readyFile: String?) {
        if let readyFile { unlink(readyFile) }
        guard let temporaryFolder else { return }
        unlink(authorityPath)
        rmdir(temporaryFolder)
    }
}
