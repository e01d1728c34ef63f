import MartletTransport

/// The layers between this machine and what a server is for, and how each did.
struct CheckReport {
    /// One layer.
    struct Layer {
        enum Outcome: String {
            case passed, failed, skipped
        }

        let name: String
        var outcome = Outcome.skipped
        var duration: Duration?
        /// What was found, a line each.
        var details: [String] = []
        /// Why it was skipped, or what to do.
        var note: String?

        init(_ name: String) { self.name = name }

        mutating func pass(after duration: Duration, _ details: [String]) {
            outcome = .passed
            self.duration = (self.duration ?? .zero) + duration
            self.details = details
        }

        mutating func fail(
            after duration: Duration, _ failure: CommandFailure, _ advice: String?
        ) {
            outcome = .failed
            self.duration = duration
            details = [failure.message]
            note = advice
        }
    }

    let host: String
    let port: Int
    let security: ConnectionSecurity
    /// In the order in which they come to be known.
    var layers: [Layer]
    var failure: CommandFailure?
    /// What else a program may want to know.
    var extra: [(name: String, value: JSONText)] = []

    init(host: String, port: Int, security: ConnectionSecurity, layers: [String]) {
        self.host = host
        self.port = port
        self.security = security
        self.layers = layers.map { Layer($0) }
    }

    var status: ExitStatus { failure?.status ?? .success }

    /// The layer of that name; it must be one of those given at the start.
    subscript(name: String) -> Layer {
        get { layers[index(of: name)] }
        set { layers[index(of: name)] = newValue }
    }

    private func index(of name: String) -> Int {
        guard let index = layers.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("there is no layer \(name)")
        }
        return index
    }

    // MARK: What all protocols have

    /// The connection is there: names were looked up, if there were any.
    mutating func connected(
        to address: SocketAddress?, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        resolved(lookUps)
        let connecting = max(.zero, duration - (lookUps.duration ?? .zero))
        self["TCP"].pass(after: connecting, ["connected to \(address.map { "\($0)" } ?? host)"])
    }

    mutating func resolved(_ lookUps: TimedLookUps.Result) {
        if let duration = lookUps.duration {
            self["DNS"].pass(
                after: duration, [lookUps.addresses.map(\.address).joined(separator: ", ")])
        } else {
            self["DNS"].note = "an address needs no look-up"
        }
    }

    mutating func secured(_ info: TLSConnectionInfo, after duration: Duration) {
        self["TLS"].pass(after: duration, Self.details(of: info))
    }

    /// A layer failed; those that nobody came to are marked so.
    mutating func fail(
        _ name: String, after duration: Duration, _ failure: CommandFailure, _ advice: String?
    ) {
        self.failure = failure
        self[name].fail(after: duration, failure, advice)
        for index in layers.indices
        where layers[index].outcome == .skipped && layers[index].note == nil {
            layers[index].note = "not reached"
        }
    }

    private static func details(of info: TLSConnectionInfo) -> [String] {
        let session = ["\(info.version), \(info.cipherSuite)"]
        guard let certificate = info.peerCertificates.first else { return session }
        return session + [
            "certificate of \(certificate.names.joined(separator: ", "))",
            "issued by \(certificate.issuer), valid until \(certificate.notAfter)",
        ]
    }
}

extension CheckReport {
    /// For a person.
    var text: String {
        var text = "\(host), port \(port), \(security.rawValue)\n\n"
        for layer in layers {
            let time = layer.duration.map { "\($0.millisecondsText) ms" } ?? ""
            text += "  \(layer.name.padded(to: 11))\(layer.outcome.rawValue.padded(to: 9))"
            text += String(repeating: " ", count: max(0, 12 - time.count)) + time
            let lines = layer.details + (layer.note.map { [$0] } ?? [])
            for (index, line) in lines.enumerated() {
                text += index > 0 ? "\n" + String(repeating: " ", count: 36) : "  "
                text += Console.printable(line)
            }
            text += "\n"
        }
        return text
    }

    /// For a program.
    var json: JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("ok", .bool(failure == nil)),
            ("exitStatus", .integer(Int(status.rawValue))),
            ("host", .string(host)),
            ("port", .integer(port)),
            ("tls", .string(security.rawValue)),
            (
                "layers",
                .array(
                    layers.map { layer in
                        .object([
                            ("name", .string(layer.name)),
                            ("outcome", .string(layer.outcome.rawValue)),
                            ("milliseconds", layer.duration.map { .milliseconds($0) } ?? .null),
                            ("details", .array(layer.details.map { .string($0) })),
                            ("note", .optional(layer.note)),
                        ])
                    })
            ),
        ]
        members += extra
        if let failure { members.append(("error", failure.json)) }
        return .object(members)
    }
}
