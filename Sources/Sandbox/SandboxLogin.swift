import MartletBytes
import MartletSASL
import MartletTransport

/// Logging in, for all of the sandbox's protocols.
enum SandboxLogin {
    /// A mechanism's next step. Derives keys: not on a loop.
    nonisolated static func take(
        _ response: Secret?, _ mechanism: any SASLServerMechanism
    ) async -> (any SASLServerMechanism, Result<SASLServerStep, SASLError>) {
        var mechanism = mechanism
        let step = Result { () throws(SASLError) in try mechanism.receive(response) }
        return (mechanism, step)
    }
}

extension Sandbox.Shared {
    /// Who may log in, over a connection.
    func users(
        _ service: String, _ channel: ByteChannel, isEncrypted: Bool
    ) async -> SASLUsers {
        let bindings = await channel.channelBindings?.all ?? []
        let sasl = SASLChannel(
            service: service, host: Sandbox.hostName, port: 0, isEncrypted: isEncrypted,
            bindings: bindings.map {
                SASLChannelBinding(name: $0.kind.rawValue, octets: $0.octets)
            }, secondsSinceEpoch: WallClock.now.secondsSinceEpoch)
        let sandbox = self
        var users = SASLUsers(channel: sasl) { sandbox.password(of: $0) }
        users.otherHosts = ["localhost", "127.0.0.1", "::1"] + configuration.listenAddresses
        users.realms = [configuration.domain]
        return users
    }
}
