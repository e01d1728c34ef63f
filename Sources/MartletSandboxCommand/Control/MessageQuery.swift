import MartletHTTPServer
import MartletMIME
import MartletSandbox

/// Which messages a request asks for, by its query.
struct MessageQuery: Sendable {
    private var to: String?
    private var from: String?
    private var subject: String?
    private var after = 0

    /// - Parameters:
    ///   - sandbox: knows whole addresses.
    ///   - others: names that the query may have besides.
    /// - Throws: `ControlFailure` for a name that means nothing, since a test that waits for the wrong message would pass.
    init(
        _ target: HTTPTarget, of sandbox: Sandbox, besides others: Set<String> = []
    ) throws(ControlFailure) {
        for item in target.queryItems {
            let value = item.value ?? ""
            switch item.name {
            case "to": to = sandbox.address(of: value)
            case "from": from = sandbox.address(of: value)
            case "subject": subject = value.lowercased()
            case "after":
                guard let number = Int(value) else {
                    throw ControlFailure(
                        .badRequest, "invalidQuery", "after= wants a message's ID.")
                }
                after = number
            case _ where others.contains(item.name): break
            default:
                throw ControlFailure(
                    .badRequest, "invalidQuery",
                    "There is no \"\(item.name)\" in a query here; there are "
                        + (["to", "from", "subject", "after"] + others.sorted())
                        .joined(separator: ", ") + ".")
            }
        }
    }

    /// Whether the message is one of them.
    func matches(_ message: StoredMessage) -> Bool {
        guard message.id > after else { return false }
        if let to,
            !message.envelope.forwardPaths.contains(where: { $0.description.lowercased() == to })
        {
            return false
        }
        if let from, message.envelope.reversePath.description.lowercased() != from { return false }
        guard let subject else { return true }
        return (Message(parsing: message.octets).subject ?? "").lowercased().contains(subject)
    }
}
