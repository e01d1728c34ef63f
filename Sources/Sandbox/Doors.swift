import MartletMIME
import MartletSMTPCore
import MartletTransport

/// Lets connections in, and not too many at a time.
actor Doors {
    private let limit: Int
    private var connections = 0

    init(limit: Int) { self.limit = limit }

    /// Serves a listener's connections until it is closed or the task cancelled; then tells them and waits for their end.
    func open(_ listener: Listener, _ sandbox: Sandbox.Shared, isEncrypted: Bool) async {
        await withDiscardingTaskGroup { group in
            while let channel = await listener.accept() {
                guard connections < limit else {
                    group.addTask { await Self.sendAway(channel, isEncrypted) }
                    continue
                }
                connections += 1
                group.addTask {
                    await SMTPService(channel, sandbox, isEncrypted: isEncrypted).run()
                    await self.leave()
                }
            }
        }
    }

    private func leave() { connections -= 1 }

    private static func sendAway(_ channel: ByteChannel, _ isEncrypted: Bool) async {
        if !isEncrypted {
            var octets: [UInt8] = []
            SMTPReply(421, EnhancedStatusCode(4, 3, 2), "too many connections").encode(
                into: &octets)
            try? await channel.write(octets, within: .seconds(1))
        }
        await channel.close()
    }
}
