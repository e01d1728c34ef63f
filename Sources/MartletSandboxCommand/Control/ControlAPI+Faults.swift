import MartletCLI
import MartletHTTPServer
import MartletSandbox

/// What the sandbox does wrong on purpose, and a clean start.
extension ControlAPI {
    func faults(
        _ request: HTTPRequest, _ path: ArraySlice<String>
    ) throws(ControlFailure) -> HTTPResponse {
        if let id = path.first {
            try Self.require(request, .delete)
            guard path.count == 1, let number = Int(id), sandbox.removeFault(number) else {
                throw ControlFailure(.notFound, "noSuchFault", "There is no fault \"\(id)\".")
            }
            return HTTPResponse(.noContent)
        }
        try Self.require(request, .get, .post, .put, .delete)
        switch request.method {
        case .delete:
            sandbox.removeFaults()
            return HTTPResponse(.noContent)
        case .post, .put: return try place(request)
        default: return try faultList()
        }
    }

    private func faultList() throws(ControlFailure) -> HTTPResponse {
        do {
            return .content(try FaultsText.json(sandbox.faults), type: "application/json")
        } catch {
            throw ControlFailure(.internalServerError, "unwritable", "\(error)")
        }
    }

    /// PUT takes the place of those that are there.
    private func place(_ request: HTTPRequest) throws(ControlFailure) -> HTTPResponse {
        do {
            let faults = try FaultsText.faults(request.body)
            let ids =
                request.method == .put
                ? try sandbox.setFaults(faults) : try faults.map { try sandbox.addFault($0) }
            return .json(
                .object([("ids", .array(ids.map { .integer($0) }))]), status: .created)
        } catch let mistake as FaultsText.Mistake {
            throw ControlFailure(.badRequest, "invalidFault", mistake.words)
        } catch {
            throw ControlFailure(.badRequest, "invalidFault", "\(error)")
        }
    }

    func reset(_ request: HTTPRequest) async throws(ControlFailure) -> HTTPResponse {
        try Self.require(request, .post)
        await sandbox.reset()
        return HTTPResponse(.noContent)
    }
}
