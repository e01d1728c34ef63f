import MartletBytes
import MartletSASL

/// What a client and a server of ours come to.
enum Dialogue {
    enum Outcome {
        /// The server takes the claim, and the client takes the server.
        case done(SASLLogin)
        case clientFailed(SASLError)
        case serverFailed(SASLError)

        var login: SASLLogin? {
            if case .done(let login) = self { login } else { nil }
        }
    }

    /// Runs a login to its end.
    ///
    /// - Parameter sendsFirst: whether the protocol carries an initial response.
    static func run(
        _ client: any SASLMechanism, _ server: any SASLServerMechanism, sendsFirst: Bool = true
    ) -> Outcome {
        var (client, server) = (client, server)
        var response: Secret?
        do {
            let first = try client.initialResponse()
            if sendsFirst { response = first }
        } catch {
            return .clientFailed(error)
        }
        while true {
            let step: SASLServerStep
            do {
                step = try server.receive(response)
            } catch {
                return .serverFailed(error)
            }
            do throws(SASLError) {
                switch step {
                case .challenge(let challenge): response = try client.respond(to: challenge)
                case .verify(let login):
                    try client.finish(nil)
                    return .done(login)
                }
            } catch {
                return .clientFailed(error)
            }
        }
    }

    static let channel = SASLChannel(
        service: "imap", host: "mail.example.org", port: 993, isEncrypted: true,
        bindings: [
            SASLChannelBinding(
                name: SASLChannelBinding.tlsExporter, octets: Array("exported".utf8)),
            SASLChannelBinding(
                name: SASLChannelBinding.tlsServerEndPoint, octets: Array("certificate".utf8)),
        ], secondsSinceEpoch: 1_800_000_000)

    static func users(
        _ passwords: [String: String] = ["alice": "correct horse"],
        channel: SASLChannel = channel
    ) -> SASLUsers {
        SASLUsers(channel: channel) { user in passwords[user].map { Secret($0) } }
    }
}

/// A step that is none of those that are due.
struct Unexpected: Error {}

func octets(base64 text: String) -> [UInt8] { Base64.decode(Array(text.utf8)) ?? [] }

func expectFailure(
    _ kind: SASLError.Kind, of mechanism: inout some SASLMechanism, to challenge: String
) -> Bool {
    do {
        _ = try mechanism.respond(to: Array(challenge.utf8))
        return false
    } catch {
        return error.kind == kind
    }
}
