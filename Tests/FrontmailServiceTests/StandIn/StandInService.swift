import Foundation
import MartletHTTPServer
import Synchronization

/// A service on a socket that does what a script says, and otherwise accepts mail once for each idempotency key.
final class StandInService: Sendable {
    /// What happens to a request.
    enum Step: Sendable {
        /// The mail is accepted, or was before.
        case accept
        /// An answer.
        case answer(Int, [String: String] = [:], String = "")
        /// The mail is accepted, and the connection breaks before the answer.
        case loseAnswer
        /// Nothing comes until the client goes.
        case hang
        /// A body of that many octets, or without an end; `counted` hears how many the client took.
        case stream(octets: Int?)
        /// A redirect whose body never ends.
        case endlessRedirect
        /// A body that comes octet by octet and never ends.
        case drip
    }

    /// A request as it came.
    struct Record: Sendable {
        let method: String
        let path: String
        let fields: [String: String]
        let body: [UInt8]

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
        }
    }

    private struct State {
        var steps: [Step]
        var records: [Record] = []
        var messages: [String: String] = [:]
        var keepsRecords = true
        var requestCount = 0
        var octetsTaken = 0
        var clientsGone = 0
    }

    private let state: Mutex<State>
    private let running = Mutex<HTTPServer?>(nil)

    private init(_ steps: [Step], keepsRecords: Bool) {
        state = Mutex(State(steps: steps, keepsRecords: keepsRecords))
    }

    /// Runs `body` with a service that takes these steps, and then accepts.
    static func run(
        _ steps: [Step] = [], keepsRecords: Bool = true,
        _ body: (StandInService) async throws -> Void
    ) async throws {
        let service = StandInService(steps, keepsRecords: keepsRecords)
        var limits = HTTPServerLimits.standard
        limits.connectionCount = 2_000
        let server = try HTTPServer.start(limits: limits) { [weak service] request in
            await service?.answer(to: request) ?? .text("gone", status: .serviceUnavailable)
        }
        service.running.withLock { $0 = server }
        do {
            try await body(service)
            await server.stop(within: .zero)
        } catch {
            await server.stop(within: .zero)
            throw error
        }
    }

    /// Where it is.
    var url: URL {
        let port = running.withLock { $0?.address.port } ?? 0
        return URL(string: "http://127.0.0.1:\(port)")!
    }

    /// The requests so far.
    var records: [Record] { state.withLock { $0.records } }
    /// The number of requests so far.
    var requestCount: Int { state.withLock { $0.requestCount } }
    /// The number of mails that were accepted.
    var messageCount: Int { state.withLock { $0.messages.count } }
    /// Octets of streams that were handed on.
    var octetsTaken: Int { state.withLock { $0.octetsTaken } }
    /// Clients that went away while a stream or a silence was for them.
    var clientsGone: Int { state.withLock { $0.clientsGone } }

    private func answer(to request: HTTPRequest) async -> HTTPResponse {
        let (step, number) = state.withLock { state -> (Step, Int) in
            state.requestCount += 1
            if state.keepsRecords { state.records.append(Record(request)) }
            return (state.steps.isEmpty ? .accept : state.steps.removeFirst(), state.requestCount)
        }
        switch step {
        case .accept: return accept(request, number)
        case .answer(let status, let fields, let text):
            return response(status, fields, text)
        case .loseAnswer:
            _ = accept(request, number)
            return HTTPResponse(.accepted, body: .stream(length: 100) { _ in throw Cut() })
        case .hang:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
            state.withLock { $0.clientsGone += 1 }
            return .text("", status: .serviceUnavailable)
        case .stream(let octets): return endless(octets)
        case .endlessRedirect:
            var response = endless(nil)
            response.status = .temporaryRedirect
            if let name = HTTPField.Name("Location"), let field = try? HTTPField(name, "/elsewhere")
            {
                response.fields.append(field)
            }
            return response
        case .drip:
            return HTTPResponse(
                .accepted,
                body: .stream { writer in
                    while true {
                        try await writer.write(" ")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                })
        }
    }

    private struct Cut: Error {}

    private func accept(_ request: HTTPRequest, _ number: Int) -> HTTPResponse {
        guard request.method == .post else {
            let id = request.target.components.last ?? ""
            return response(
                200, [:],
                #"{"message_id":"\#(id)","status":"sent","created_at":"2026-11-30T12:00:00Z","#
                    + #""events":[{"type":"accepted","at":"2026-11-30T12:00:00Z"},{"type":"sent"}]}"#
            )
        }
        let key = Record(request).fields["idempotency-key"] ?? "none"
        let id = state.withLock { state in
            let id = state.messages[key] ?? "msg_\(number)"
            state.messages[key] = id
            return id
        }
        return response(
            202, [:], #"{"message_id":"\#(id)","status":"queued","status_token":"st_\#(id)"}"#)
    }

    private func response(_ status: Int, _ fields: [String: String], _ text: String) -> HTTPResponse
    {
        var response = HTTPResponse.json(Array(text.utf8), status: HTTPStatus(status) ?? .ok)
        for (name, value) in fields {
            if let name = HTTPField.Name(name), let field = try? HTTPField(name, value) {
                response.fields.append(field)
            }
        }
        return response
    }

    private func endless(_ octets: Int?) -> HTTPResponse {
        HTTPResponse(
            .accepted,
            body: .stream(length: octets) { [self] writer in
                let piece = [UInt8](repeating: UInt8(ascii: " "), count: 64 * 1024)
                var left = octets ?? .max
                do {
                    while left > 0 {
                        try await writer.write(Array(piece.prefix(left)))
                        left -= piece.count
                        state.withLock { $0.octetsTaken += piece.count }
                    }
                } catch {
                    state.withLock { $0.clientsGone += 1 }
                    throw error
                }
            })
    }
}

extension StandInService.Record {
    init(_ request: HTTPRequest) {
        method = request.method.description
        path = request.target.path
        fields = Dictionary(
            request.fields.map { ($0.name.description.lowercased(), $0.value) },
            uniquingKeysWith: { "\($0), \($1)" })
        body = request.body
    }
}
