import MartletMIME
import MartletSMTPCore
import MartletTransport

/// What is spoken with a sandbox.
public enum SandboxProtocol: String, Sendable, Hashable, CaseIterable, Codable {
    /// SMTP, for submission too.
    case smtp
    /// LMTP.
    case lmtp
    /// IMAP.
    case imap
    /// POP3.
    case pop3

    /// What a client hears for whom there is no room.
    fileprivate var refusal: [UInt8] {
        switch self {
        case .smtp, .lmtp:
            var octets: [UInt8] = []
            SMTPReply(421, EnhancedStatusCode(4, 3, 2), "too many connections").encode(
                into: &octets)
            return octets
        case .imap: return Array("* BYE Too many connections\r\n".utf8)
        case .pop3: return Array("-ERR [SYS/TEMP] too many connections\r\n".utf8)
        }
    }

    fileprivate func serve(
        _ channel: ByteChannel, _ sandbox: Sandbox.Shared, isEncrypted: Bool
    ) async {
        switch self {
        case .smtp, .lmtp:
            await SMTPService(
                channel, sandbox, isEncrypted: isEncrypted, isLMTP: self == .lmtp
            ).run()
        case .imap: await IMAPService(channel, sandbox, isEncrypted: isEncrypted).run()
        case .pop3: await POP3Service(channel, sandbox, isEncrypted: isEncrypted).run()
        }
    }
}

/// A listener, and what is spoken behind it.
struct Door: Sendable {
    var listener: Listener
    var spoken: SandboxProtocol
    var isEncrypted: Bool
}

/// Lets connections in, and not too many at a time.
actor Doors {
    private let limit: Int
    private var connections = 0

    init(limit: Int) { self.limit = limit }

    /// Serves a door's connections until it is closed or the task cancelled; then tells them and waits for their end.
    func open(_ door: Door, _ sandbox: Sandbox.Shared) async {
        await withDiscardingTaskGroup { group in
            while let channel = await door.listener.accept() {
                guard connections < limit else {
                    group.addTask { await Self.sendAway(channel, door) }
                    continue
                }
                connections += 1
                group.addTask {
                    await door.spoken.serve(channel, sandbox, isEncrypted: door.isEncrypted)
                    await self.leave()
                }
            }
        }
    }

    private func leave() { connections -= 1 }

    private static func sendAway(_ channel: ByteChannel, _ door: Door) async {
        if !door.isEncrypted {
            try? await channel.write(door.spoken.refusal, within: .seconds(1))
        }
        await channel.close()
    }
}

extension Sandbox.Shared {
    /// Starts TLS with a client. Who watches hears where that fails.
    func startTLS(with channel: ByteChannel) async throws(TransportError) {
        do throws(TransportError) {
            try await channel.startTLS(server: tls, within: configuration.handshakeLimit)
        } catch {
            events.yield(.tlsFailed(client: channel.peer, reason: "\(error)"))
            throw error
        }
    }
}
