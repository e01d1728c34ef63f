#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Starts real servers.
public enum RealServers {
    /// PEM files for a server, where the script's own certificate for `localhost` will not do.
    public struct Certificates: Sendable {
        /// The authority that signed the certificate.
        public var authority: [UInt8]
        /// The server's certificate, and what lies between it and the authority.
        public var chain: [UInt8]
        /// Its private key.
        public var key: [UInt8]

        /// Takes the contents of three PEM files.
        public init(authority: [UInt8], chain: [UInt8], key: [UInt8]) {
            (self.authority, self.chain, self.key) = (authority, chain, key)
        }
    }

    /// Starts a server in a temporary folder, on free ports. It ends by ``RunningServer/stop()``, or with this process.
    ///
    /// - Returns: nil where servers cannot run; ``RealServer/unavailableReason`` says why.
    /// - Throws: ``RealServerFailure`` with the server's log if it does not start.
    public static func start(
        _ server: RealServer, certificates: Certificates? = nil
    ) async throws -> RunningServer? {
        guard server.isAvailable else { return nil }
        return try await withNewFolder(server.rawValue, certificates: certificates) { folder in
            let values = try await server.script.start(in: folder, ports: 3)
            return try RunningServer(server, folder: folder, values: values)
        }
    }

    /// Makes a server's folder, with its certificates, and removes it if the server does not start.
    static func withNewFolder<Running>(
        _ name: String, certificates: Certificates?,
        _ start: (TemporaryFolder) async throws -> Running
    ) async throws -> Running {
        let folder = try TemporaryFolder(name)
        do {
            if let certificates {
                mkdir(folder.path + "/ca", 0o755)
                try write(certificates.authority, toFile: folder.path + "/ca/ca.pem")
                try write(certificates.chain, toFile: folder.path + "/ca/server.pem")
                try write(certificates.key, toFile: folder.path + "/ca/server.key")
            }
            return try await start(folder)
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Starts a server, hands it to `body`, and ends it whatever happens.
    ///
    /// - Throws: ``RealServerFailure`` if the server cannot run here; use `.needs(server)` on the test.
    public static func withServer<Result>(
        _ server: RealServer, certificates: Certificates? = nil,
        _ body: (RunningServer) async throws -> Result
    ) async throws -> Result {
        guard let running = try await start(server, certificates: certificates) else {
            throw RealServerFailure(server.unavailableReason ?? "\(server) cannot run here.")
        }
        do {
            let result = try await body(running)
            try await running.stop()
            return result
        } catch {
            try? await running.stop()
            throw error
        }
    }

    /// One server of each kind for all tests of the run, started when the first asks. It ends with this process.
    ///
    /// Tests run at the same time: let each write to recipients of its own.
    ///
    /// - Throws: ``RealServerFailure`` if the server cannot run here; use `.needs(server)` on the test.
    public static func shared(_ server: RealServer) async throws -> RunningServer {
        try await sharedServers.get(server)
    }

    private static let sharedServers = SharedServers<RealServer, RunningServer> { server in
        guard let running = try await start(server) else {
            throw RealServerFailure(server.unavailableReason ?? "\(server) cannot run here.")
        }
        return running
    }
}

/// One server of each kind for the whole run.
actor SharedServers<Kind: Hashable & Sendable, Running: Sendable> {
    private let start: @Sendable (Kind) async throws -> Running
    private var starts: [Kind: Task<Running, any Error>] = [:]

    init(start: @escaping @Sendable (Kind) async throws -> Running) { self.start = start }

    func get(_ kind: Kind) async throws -> Running {
        // never cancelled: all tests of the run share it
        let running = starts[kind] ?? Task { try await start(kind) }
        starts[kind] = running
        return try await running.value
    }
}

/// A real server did not start, did not stop, or did not deliver in time.
public struct RealServerFailure: Error, CustomStringConvertible {
    /// What happened, with what the server wrote.
    public let description: String

    init(_ description: String) { self.description = description }
}
