import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A script of `Scripts/servers`: whether its server can run here, how it starts and ends.
struct ServerScript: Sendable {
    /// The file's name without its ending.
    let name: String

    /// `Scripts/servers` of this package.
    static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/Scripts/servers"
    }()

    /// Where the script is.
    var path: String { "\(Self.folder)/\(name).sh" }

    /// Why the server cannot be started here, in a sentence; nil if it can. Asked once for the whole run.
    var unavailableReason: String? {
        Self.reasons.withLock { reasons in
            if let known = reasons[name] { return known }
            let reason = check()
            reasons[name] = .some(reason)
            return reason
        }
    }

    private static let reasons = Mutex<[String: String?]>([:])

    private func check() -> String? {
        do {
            let check = try Command.runBlocking(["bash", path, "check"])
            guard check.status != 0 else { return nil }
            return check.output.split(separator: "\n").last.map(String.init)
                ?? "\(path) exited with \(check.status)."
        } catch {
            return String(describing: error)
        }
    }

    /// Starts the server in a folder, on free ports. It ends by ``stop(in:)``, or with this process.
    ///
    /// - Parameter ports: how many neighbouring ports it listens on.
    /// - Returns: what the script says, as `name=value` words.
    /// - Throws: ``RealServerFailure`` with the server's log if it does not start.
    func start(in folder: TemporaryFolder, ports count: Int) async throws -> [String: String] {
        // between the look for free ports and the start, another process may take one
        for _ in 1...2 {
            let start = try await start(in: folder, at: FreePorts.first(of: count))
            if start.status == 0 { return Self.words(of: start.output) }
            guard start.output.contains("is taken") else { throw RealServerFailure(start.output) }
        }
        let start = try await start(in: folder, at: FreePorts.first(of: count))
        guard start.status == 0 else { throw RealServerFailure(start.output) }
        return Self.words(of: start.output)
    }

    private func start(in folder: TemporaryFolder, at port: Int) async throws -> Command {
        try await Command.run(["bash", path, "start", folder.path, "\(port)", "\(getpid())"])
    }

    private static func words(of line: String) -> [String: String] {
        var values: [String: String] = [:]
        for word in line.split(whereSeparator: \.isWhitespace) {
            let pair = word.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
        }
        return values
    }

    /// Ends the server's processes, waits until they are gone, and removes its folder with the mail.
    func stop(in folder: TemporaryFolder) async throws {
        let stop = try await Command.run(["bash", path, "stop", folder.path])
        guard stop.status == 0 else { throw RealServerFailure(stop.output) }
        folder.remove()
    }

    /// What the server in a folder wrote.
    static func log(in folder: TemporaryFolder) -> String {
        let names = (try? namesInFolder(folder.path + "/log")) ?? []
        return names.map { name in
            let text = (try? octets(ofFile: "\(folder.path)/log/\(name)")) ?? []
            return "== \(name)\n" + String(decoding: text, as: UTF8.self)
        }.joined()
    }
}
