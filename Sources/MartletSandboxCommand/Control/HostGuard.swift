import MartletHTTPServer

/// Keeps web sites out: a browser on this machine reaches its ports for any site, which may even give its own name this machine's
/// address. Such requests have another name in `Host`, or come from another `Origin`.
struct HostGuard: Sendable {
    private let hosts: Set<String>

    /// - Parameters:
    ///   - addresses: numeric addresses that are listened at.
    ///   - hosts: further names for this machine.
    init(addresses: [String], hosts: [String]) {
        self.hosts = Set(
            (["localhost", "127.0.0.1", "::1"] + addresses + hosts).map { $0.lowercased() })
    }

    /// Why a request is refused; `nil`: it is not.
    func refusal(of request: HTTPRequest) -> ControlFailure? {
        let host = request.fields[.host] ?? ""
        guard hosts.contains(Self.name(ofHost: host)) else {
            return ControlFailure(
                .forbidden, "foreignHost",
                "The sandbox does not answer to the name in Host. Ask localhost, or start it with "
                    + "--http-host NAME.")
        }
        guard let origin = request.fields[.origin] else { return nil }
        guard origin.lowercased() == "http://" + host.lowercased() else {
            return ControlFailure(
                .forbidden, "foreignOrigin", "Pages of other web sites may not use the sandbox.")
        }
        return nil
    }

    /// A host without its port: `localhost`, `::1` of `[::1]:8025`.
    static func name(ofHost host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("[") {
            return String(host.dropFirst().prefix { $0 != "]" })
        }
        return String(host.prefix { $0 != ":" })
    }
}
