import MartletBytes
import MartletPOP3Core

/// What must hold for any octets a POP3 client may send.
package enum POP3CommandOracle {
    /// Traps where the server's session breaks a promise.
    package static func check(_ input: [UInt8]) {
        check(input, isLoggedIn: false)
        check(input, isLoggedIn: true)
    }

    private static func check(_ input: [UInt8], isLoggedIn: Bool) {
        let whole = run([input[...]], isLoggedIn)
        let place = input.count / 2
        precondition(
            run([input[..<place], input[place...]], isLoggedIn) == whole, "a cut changes it")
        if input.count <= 2_048 {
            precondition(
                run(input.indices.map { input[$0...$0] }, isLoggedIn) == whole, "many cuts do")
        }
        for line in whole.said.split(separator: ASCII.lf) {
            precondition(line.last == ASCII.cr, "a line without its end")
        }
        precondition(whole.said.isEmpty || whole.said.last == ASCII.lf, "a line has no end")
        if let deleted = whole.deleted {
            let all = 1...POP3ServerScript.messages.count
            precondition(deleted.allSatisfy { all.contains($0) } && deleted == deleted.sorted())
            precondition(whole.releasedCount == 0, "released after QUIT")
        }
        precondition(whole.releasedCount <= 1, "released twice")
        precondition(
            whole.longestOutput <= POP3ServerSession.outputLimitInOctets + 8_192, "much output")
    }

    struct Outcome: Equatable {
        var said: [UInt8] = []
        var deleted: [Int]?
        var releasedCount = 0
        var isClosed = false
        var longestOutput = 0

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.said == right.said && left.deleted == right.deleted
                && left.releasedCount == right.releasedCount && left.isClosed == right.isClosed
        }
    }

    private static func run(_ pieces: [ArraySlice<UInt8>], _ isLoggedIn: Bool) -> Outcome {
        var server = POP3ServerScript()
        var outcome = Outcome()
        if isLoggedIn {
            _ = server.client("USER alice")
            _ = server.client("PASS secret")
            precondition(server.session.isAuthenticated)
        }
        for piece in pieces {
            outcome.said += server.receive(piece)
            // A real shell does the handshake here; the octets after it are another stream.
            if server.wantsTLS { break }
        }
        if case .released? = server.session.peerClosed() { server.releasedCount += 1 }
        outcome.deleted = server.deleted
        outcome.releasedCount = server.releasedCount
        outcome.isClosed = server.isClosed
        outcome.longestOutput = server.longestOutput
        return outcome
    }
}
