import MartletCommandLineParsing
import MartletTransport

/// Work that Ctrl-C ends in good order, and whose failure is told to programs as an object where they asked for JSON.
struct OneShot {
    private let isJSON: Bool
    private let log: WireLog?
    private let console: Console

    init(_ parsed: ParsedCommand, _ json: Switch, _ log: WireLog?, _ console: Console) {
        isJSON = parsed[json]
        self.log = log
        self.console = console
    }

    /// Does it.
    ///
    /// - Throws: `CommandFailure`. A signal ends the program.
    func run(_ body: @escaping @Sendable () async throws -> ExitStatus) async throws -> ExitStatus {
        let watch = Interruption()
        do {
            return try await watch.cancelling(body)
        } catch {
            console.show(progress: "")
            var failure = CommandFailure(error)
            let number = watch.signalNumber
            if number != nil { failure.status = .interrupted }
            if isJSON { report(failure, number) }
            if let number {
                log?.flush()
                console.remark("martlet: \(failure.message)")
                Interruption.die(of: number)
            }
            throw failure
        }
    }

    private func report(_ failure: CommandFailure, _ number: Int32?) {
        let status = number.map { 128 + $0 } ?? failure.status.rawValue
        console.output(
            JSONText.object([
                ("ok", false), ("exitStatus", .integer(Int(status))), ("error", failure.json),
            ]).text)
    }
}
