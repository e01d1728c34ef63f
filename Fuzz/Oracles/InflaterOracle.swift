import MartletBytes
import MartletCompression

/// What must hold for any compressed octets.
package enum InflaterOracle {
    private struct Outcome: Equatable {
        var output: [UInt8] = []
        var error: CompressionError?
    }

    /// A bomb of a fuzzer's size need not be expanded to its end.
    private static let outputLimit = 4 * 1024 * 1024

    /// Traps where expanding breaks a promise, or compressing what came out does not give it back.
    package static func check(_ input: [UInt8]) {
        let whole = run([input[...]], taking: Inflater.outputLimitInOctets)
        let place = input.count / 2
        precondition(
            run([input[..<place], input[place...]], taking: 1_000) == whole,
            "a cut changes what comes out")
        if input.count <= 2_048 {
            precondition(
                run(input.indices.map { input[$0...$0] }, taking: 4_096) == whole,
                "many cuts change what comes out")
        }
        guard let deflater = try? Deflater(level: 1, memory: .small) else { return }
        var again: [UInt8] = []
        guard (try? deflater.append(whole.output, to: &again)) != nil,
            (try? deflater.flush(to: &again)) != nil
        else { preconditionFailure("it cannot be compressed") }
        precondition(
            run([again[...]], taking: Inflater.outputLimitInOctets)
                == Outcome(output: whole.output), "it does not survive")
    }

    private static func run(_ pieces: [ArraySlice<UInt8>], taking limit: Int) -> Outcome {
        var outcome = Outcome()
        guard let inflater = try? Inflater() else { return outcome }
        do throws(CompressionError) {
            for piece in pieces {
                try inflater.append(piece)
                while outcome.output.count < outputLimit {
                    let room = min(limit, outputLimit - outcome.output.count)
                    let count = try inflater.next(into: &outcome.output, atMost: room)
                    precondition(count <= room, "more comes out than was wanted")
                    if count == 0 { break }
                }
                // What waits behind a bomb is not looked at.
                if outcome.output.count == outputLimit { return outcome }
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }
}
