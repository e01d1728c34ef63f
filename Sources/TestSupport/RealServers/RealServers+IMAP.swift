extension RealServers {
    /// Starts an IMAP server in a temporary folder, on free ports. It ends by ``RunningIMAPServer/stop()``, or with this
    /// process.
    ///
    /// - Parameter mail: what is in its mailboxes. UIDs follow the order.
    /// - Returns: nil where servers cannot run; ``RealIMAPServer/unavailableReason`` says why.
    /// - Throws: ``RealServerFailure`` with the server's log if it does not start.
    public static func start(
        _ server: RealIMAPServer, mail: [InitialMessage] = [], certificates: Certificates? = nil
    ) async throws -> RunningIMAPServer? {
        guard server.isAvailable else { return nil }
        let name = server.rawValue
        return try await withNewFolder(name, certificates: certificates) { folder in
            if server.storesMaildirs {
                var maildirs = InitialMaildirs(in: folder.path)
                try maildirs.write(mail)
            }
            let values = try await server.script.start(in: folder, ports: server.services.count)
            let running = try RunningIMAPServer(server, folder: folder, values: values)
            guard !server.storesMaildirs else { return running }
            do {
                try await running.append(mail)
            } catch {
                try? await running.stop()
                throw error
            }
            return running
        }
    }

    /// Starts an IMAP server, hands it to `body`, and ends it whatever happens.
    ///
    /// - Parameter mail: what is in its mailboxes. UIDs follow the order.
    /// - Throws: ``RealServerFailure`` if the server cannot run here; use `.needs(server)` on the test.
    public static func withServer<Result>(
        _ server: RealIMAPServer, mail: [InitialMessage] = [], certificates: Certificates? = nil,
        _ body: (RunningIMAPServer) async throws -> Result
    ) async throws -> Result {
        guard let running = try await start(server, mail: mail, certificates: certificates) else {
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

    /// One IMAP server of each kind for all tests of the run, started when the first asks. It ends with this process.
    ///
    /// Tests run at the same time: let each make mailboxes of its own.
    ///
    /// - Throws: ``RealServerFailure`` if the server cannot run here; use `.needs(server)` on the test.
    public static func shared(_ server: RealIMAPServer) async throws -> RunningIMAPServer {
        try await sharedIMAPServers.get(server)
    }

    private static let sharedIMAPServers = SharedServers<RealIMAPServer, RunningIMAPServer> {
        guard let running = try await start($0) else {
            throw RealServerFailure($0.unavailableReason ?? "\($0) cannot run here.")
        }
        return running
    }
}
