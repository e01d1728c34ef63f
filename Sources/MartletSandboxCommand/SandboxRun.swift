import MartletCLI
import MartletCommandLineParsing
import MartletFiles
import MartletSandbox

/// `martlet sandbox`: from the options to the end.
enum SandboxRun {
    private typealias Options = SandboxOptions

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let configuration = try configuration(of: parsed)
        // From here on a signal means an orderly end.
        let interruption = Interruption()
        let sandbox = try await Sandbox.start(configuration)
        do {
            let files = try SandboxFiles(
                sandbox, folder: parsed[Options.stateFolder],
                mailFolder: parsed[Options.mailFolder])
            defer { files.remove(readyFile: parsed[Options.readyFile]) }
            let control = try control(of: sandbox, parsed)
            let voice = SandboxVoice(
                sandbox, files, httpPort: control?.port, printsJSON: parsed[Options.json], console)
            control?.serve(describedBy: voice.listening)
            try files.announce(voice.listening.text, in: parsed[Options.readyFile])
            voice.sayListening()
            await withTaskGroup { group in
                group.addTask { await tell(sandbox, files, voice, console) }
                await interruption.wait()
                await control?.stop()
                await sandbox.stop()
            }
            voice.sayStopped()
            return .success
        } catch {
            await sandbox.stop()
            throw error
        }
    }

    private static func tell(
        _ sandbox: Sandbox, _ files: SandboxFiles, _ voice: SandboxVoice, _ console: Console
    ) async {
        for await event in sandbox.events {
            // First the file, so that whoever reads the line finds it.
            do {
                try files.keep(event)
            } catch {
                console.remark("martlet: \(error)")
            }
            voice.say(event)
        }
    }

    // MARK: Options

    private static func configuration(
        of parsed: ParsedCommand
    ) throws -> Sandbox.Configuration {
        var configuration = Sandbox.Configuration()
        let ports: [(Option<Int>, WritableKeyPath<Sandbox.Configuration, Int?>)] = [
            (Options.smtpPort, \.smtpPort), (Options.submissionPort, \.submissionPort),
            (Options.smtpsPort, \.smtpsPort), (Options.lmtpPort, \.lmtpPort),
            (Options.imapPort, \.imapPort), (Options.imapsPort, \.imapsPort),
            (Options.pop3Port, \.pop3Port), (Options.pop3sPort, \.pop3sPort),
        ]
        for (option, path) in ports where parsed.isGiven(option) {
            configuration[keyPath: path] = parsed[option]
        }
        configuration.aliases = try aliases(of: parsed)
        configuration.catchAll = parsed[Options.catchAll]
        configuration.mailFolder = parsed[Options.maildirs]
        configuration.domain = parsed[Options.domain] ?? configuration.domain
        configuration.requiresAuthentication = parsed[Options.requiresLogin]
        configuration.memoryLimitInOctets = (parsed[Options.memoryLimit] ?? 256) << 20
        if parsed.isGiven(Options.listen) {
            configuration.listenAddresses = parsed.all(Options.listen)
        }
        configuration.heedsMagicAddresses = !parsed[Options.noMagic]
        if let path = parsed[Options.faults] { configuration.faults = try faults(path) }
        if let path = parsed[Options.accounts] {
            configuration.users = try AccountsFile.read(path)
        }
        return configuration
    }

    private static func faults(_ path: String) throws -> [Sandbox.Fault] {
        let octets = try WholeFile.read(path, limitInOctets: FaultsText.limitInOctets)
        do throws(FaultsText.Mistake) {
            return try FaultsText.faults(octets)
        } catch {
            throw CommandFailure(.badData, "\"\(path)\": \(error.words)", kind: "invalidFaults")
        }
    }

    private static func aliases(of parsed: ParsedCommand) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for text in parsed.all(Options.aliases) {
            let parts = text.split(separator: "=", maxSplits: 1)
            let addresses = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
            guard !addresses.isEmpty else {
                throw parsed.usageError("--alias \"\(text)\" is none; one is team=alice,bob.")
            }
            found[String(parts[0]), default: []] += addresses
        }
        return found
    }

    private static func control(
        of sandbox: Sandbox, _ parsed: ParsedCommand
    ) throws -> ControlServer? {
        guard !parsed[Options.noHTTP] else { return nil }
        return try ControlServer(
            sandbox, addresses: sandbox.configuration.listenAddresses,
            port: parsed[Options.httpPort] ?? 8025, hosts: parsed.all(Options.httpHosts))
    }
}
