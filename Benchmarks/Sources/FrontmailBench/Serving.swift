import Foundation
import MartletHTTPServer
import Synchronization

/// A service that accepts everything, until standard input ends.
func serve() async throws {
    let count = Atomic(0)
    var limits = HTTPServerLimits.standard
    limits.connectionCount = 10_000
    let server = try HTTPServer.start(limits: limits) { request in
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let answer =
            #"{"message_id":"msg_\#(number)","status":"queued","status_token":"st_\#(number)"}"#
        return .json(Array(answer.utf8), status: .accepted)
    }
    print("http://127.0.0.1:\(server.address.port)")
    fflush(stdout)
    while readLine() != nil {}
    await server.stop(within: .zero)
}
