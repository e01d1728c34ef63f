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

    /// `Scripts/servers` of this package.
    static let scripts: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/Scripts/servers"
    }()

    /// Starts a server in a temporary folder, on free ports. It ends by ``RunningServer/stop()``, or with this process.
    ///
    /// - Returns: nil where servers cannot run; ``RealServer/unavailableReason`` says why.
    /// - Throws: ``RealServerFailure`` with the server's log if it does not start.
    public static func start(
        _ server: RealServer, certificates: Certificates? = nil
    ) async throws -> RunningServer? {
        guard server.isAvailable else { return nil }
        let folder = try TemporaryFolder(server.rawValue)
        do {
            if let certificates {
                mkdir(folder.path + "/ca", 0o755)
                try write(certificates.authority, toFile: folder.path + "/ca/ca.pem")
                try write(certificates.chain, toFile: folder.path + "/ca/server.pem")
                try write(certificates.key, toFile: folder.path + "/ca/server.key")
            }
            // between the look for free ports and the start, another process may take one
            for attempt in 1... {
                let ports = try FreePorts.first(of: 3)
                let start = try await Command.run([
                    "bash", server.script, "start", folder.path, "\(ports)", "\(getpid())",
                ])
                if start.status == 0 {
                    return try RunningServer(server, folder: folder, line: start.output)
                }
                if attempt == 3 || !start.output.contains("is taken") {
                    throw RealServerFailure(start.output)
                }
            }
            return nil
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

    private static let sharedServers = SharedServers()

    private actor SharedServers {
        private var starts: [RealServer: Task<RunningServer?, any Error>] = [:]

        func get(_ server: RealServer) async throws -> RunningServer {
            // never cancelled: all tests of the run share it
            let start = starts[server] ?? Task { try await RealServers.start(server) }
            starts[server] = start
            guard let running = try await start.value else {
                throw RealServerFailure(server.unavailableReason ?? "\(server) cannot run here.")
            }
            return running
        }
    }
}

/// A real server did not start, did not stop, or did not deliver in time.
public struct RealServerFailure: Error, CustomStringConvertible {
    /// What happened, with what the server wrote.
    public let description: String

    init(_ description: String) { self.description = description }
}
