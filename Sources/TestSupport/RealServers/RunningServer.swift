#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server on loopback ports.
public struct RunningServer: Sendable {
    /// What it is.
    public let kind: RealServer
    /// Plain SMTP; STARTTLS where the server has TLS.
    public let smtpPort: Int
    /// STARTTLS and AUTH are required here.
    public let submissionPort: Int?
    /// TLS from the start.
    public let smtpsPort: Int?
    /// The longest message it takes, in octets.
    public let sizeLimit: Int
    /// PEM file of the authority that signed the certificate for `localhost`, `mail.example.test`, 127.0.0.1 and ::1.
    public let certificateAuthorityFile: String?
    /// The process whose end is the server's end.
    public let processID: Int
    /// Where its configuration, logs and mail are.
    public var folder: String { storage.path }

    private let storage: TemporaryFolder

    /// - Parameter values: what the script says.
    init(_ kind: RealServer, folder: TemporaryFolder, values: [String: String]) throws {
        func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
        guard let smtp = number("smtp"), let pid = number("pid"), let limit = number("size_limit")
        else { throw RealServerFailure("\(kind) said: \(values)") }
        self.kind = kind
        (smtpPort, processID, sizeLimit) = (smtp, pid, limit)
        submissionPort = number("submission")
        smtpsPort = number("smtps")
        certificateAuthorityFile = values["ca"]
        storage = folder
    }

    /// What has been delivered to a recipient so far, in the order of delivery.
    ///
    /// - Parameter recipient: the whole address as the server got it in `RCPT TO`.
    public func messages(for recipient: String) throws -> [DeliveredMessage] {
        let box = "\(folder)/mail/\(recipient)/new"
        guard access(box, F_OK) == 0 else { return [] }
        return try namesInFolder(box).map { name in
            try DeliveredMessage(
                recipient: recipient, stored: octets(ofFile: box + "/" + name), by: kind)
        }
    }

    /// Waits until a recipient has at least `count` messages.
    ///
    /// - Throws: ``RealServerFailure`` with the end of the server's log if they do not come within `limit`.
    public func waitForMessages(
        _ count: Int = 1, for recipient: String, within limit: Duration = .seconds(60)
    ) async throws -> [DeliveredMessage] {
        let clock = ContinuousClock()
        let end = clock.now + limit
        let box = "\(folder)/mail/\(recipient)/new"
        while try access(box, F_OK) != 0 || namesInFolder(box).count < count {
            guard clock.now < end else {
                let have = try messages(for: recipient).count
                throw RealServerFailure(
                    "\(kind) delivered \(have) of \(count) messages to \(recipient) in \(limit).\n"
                        + log.suffix(2_000))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try messages(for: recipient)
    }

    /// What the server wrote.
    public var log: String { ServerScript.log(in: storage) }

    /// Ends the server's processes, waits until they are gone, and removes its folder with the mail.
    public func stop() async throws { try await kind.script.stop(in: storage) }
}
