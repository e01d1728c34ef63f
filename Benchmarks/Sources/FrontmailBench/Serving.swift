import Foundation
import MartletHTTPServer

/// A service that accepts everything, until standard input ends.
func serve() async throws {
    let counter = Counter()
    var limits = HTTPServerLimits.standard
    limits.connectionCount = 10_000
    let server = try HTTPServer.start(limits: limits) { request in
        let number = counter.next()
        let answer =
            #"{"message_id":"msg_\#(number)","status":"queued","status_token":"st_\#(number)"}"#
        return .json(Array(answer.utf8), status: .accepted)
    }
    // not `print`, which keeps lines for later where nobody looks on
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.address.port)\n".utf8))
    while readLine() != nil {}
    await server.stop(within: .zero)
}
