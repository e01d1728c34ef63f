#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A message as a server stored it for one recipient.
public struct DeliveredMessage: Sendable {
    /// The address in `RCPT TO`.
    public let recipient: String
    /// The address in `MAIL FROM`, from the Return-Path field; empty for the null path.
    public let reversePath: String?
    /// The message as it was sent: without the trace fields that the server put on top, its line ends CRLF again.
    public let octets: [UInt8]
    /// The file as it is.
    public let stored: [UInt8]

    /// Takes a stored file apart.
    init(recipient: String, stored: [UInt8], by server: RealServer) {
        self.recipient = recipient
        self.stored = stored
        // aiosmtpd keeps what it got, so that a bare LF of ours would show; the others keep LF only
        let message = server == .aiosmtpd ? stored : Self.withCRLF(stored)
        var expected = server.traceFields
        var start = 0
        var reversePath: String?
        while let field = Self.field(in: message, at: start),
            expected.remove(field.name) != nil
        {
            if field.name == "return-path" {
                let value = field.value.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
                reversePath = String(value)
            }
            start = field.end
        }
        self.reversePath = reversePath
        octets = Array(message[start...])
    }

    /// Each LF that has no CR before it gets one.
    static func withCRLF(_ octets: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(octets.count + octets.count / 32)
        octets.withUnsafeBytes { octets in
            var rest = octets[...]
            // Line by line and not octet by octet: the tests have messages of 40 MB, and no optimiser.
            while let start = rest.startAddress, let end = memchr(start, 0x0A, rest.count) {
                let line = rest.prefix(UnsafeRawPointer(end) - start)
                result.append(contentsOf: UnsafeRawBufferPointer(rebasing: line))
                if line.last != 0x0D { result.append(0x0D) }
                result.append(0x0A)
                rest = rest.dropFirst(line.count + 1)
            }
            result.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest))
        }
        return result
    }

    /// The header field that begins at an offset, with its folded lines.
    private static func field(
        in message: [UInt8], at start: Int
    ) -> (name: String, value: String, end: Int)? {
        var end = start
        repeat {
            guard let lineEnd = message[end...].firstIndex(of: 0x0A) else { return nil }
            end = lineEnd + 1
        } while end < message.count && (message[end] == 0x20 || message[end] == 0x09)
        let octets = message[start..<end]
        guard let colon = octets.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (
            String(decoding: octets[..<colon], as: UTF8.self).lowercased(),
            String(decoding: octets[(colon + 1)...], as: UTF8.self), end
        )
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var startAddress: UnsafeRawPointer? { base.baseAddress.map { $0 + startIndex } }
}
