import MartletCLI
import MartletMIME
import MartletSandbox

/// What is told of a message in a line of events and in lists.
enum MessageSummary {
    static func members(of message: StoredMessage) -> [(name: String, value: JSONText)] {
        [
            ("id", .integer(message.id)),
            ("from", .string(message.envelope.reversePath.description)),
            ("to", .array(message.envelope.forwardPaths.map { .string($0.description) })),
            ("subject", .optional(Message(parsing: message.octets).subject)),
            ("sizeInOctets", .integer(message.octets.count)),
            ("user", .optional(message.user)),
            ("clientName", .string(message.clientName)),
            ("tls", .optional(message.tlsVersion.map { "\($0)" })),
            ("receivedAt", .integer(Int(message.received.secondsSinceEpoch))),
        ]
    }
}
