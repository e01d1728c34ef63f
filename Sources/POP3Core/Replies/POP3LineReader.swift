import MartletBytes

/// Finds lines and messages in what a server sends, as it comes. RFC 1939 §3.
///
/// Linear for any cut of the stream into pieces. It does not know what is due: the session asks for the first line of a reply,
/// or for more of what follows it.
struct POP3LineReader: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0  // no LF between `start` and here
    /// Whether the last line ended with LF alone.
    private(set) var lineEndsAtLF = false

    /// Whether octets wait that nothing has used.
    var hasOctets: Bool { start < buffer.count }

    /// The start of what waits, safe to print.
    var excerpt: String { Self.excerpt(buffer[start...]) }

    mutating func append(_ octets: [UInt8]) {
        if start == buffer.count {
            // The common case: nothing waits, nothing is copied.
            buffer = octets
            start = 0
            scanned = 0
            return
        }
        if start > 4096, start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: octets)
    }

    /// The first line of a reply without its end; `nil` when more octets are needed.
    mutating func nextReply(within limit: Int) throws(POP3ReplyFailure) -> POP3Reply? {
        let count = buffer.count
        var offset = scanned
        buffer.withUnsafeBufferPointer { octets in
            while offset < count, octets[offset] != ASCII.lf { offset += 1 }
        }
        scanned = offset
        if count - start >= 2, buffer[start + 1] == 0x03,
            buffer[start] == 0x15 || buffer[start] == 0x16
        {
            throw .tlsRecord
        }
        let found = offset < count
        var end = offset
        if found, end > start, buffer[end - 1] == ASCII.cr { end -= 1 }
        // One more octet may be the CR of a line that just fits.
        guard end - start <= limit + (found ? 0 : 1) else { throw .lineTooLong }
        guard found else { return nil }
        lineEndsAtLF = end == offset
        let line = buffer[start..<end]
        start = offset + 1
        scanned = start
        return try Self.reply(line)
    }

    /// Moves what follows a first line to `output`, as far as it has come.
    mutating func takeContent(_ unstuffer: inout DotUnstuffer, to output: inout [UInt8]) {
        start += buffer.withUnsafeBufferPointer {
            unstuffer.append(UnsafeBufferPointer(rebasing: $0[start...]), to: &output)
        }
        scanned = start
    }

    // response = status-indicator [SP text] ; RFC 1939 §3, RFC 2449 §3, RFC 5034 §4
    private static func reply(_ line: ArraySlice<UInt8>) throws(POP3ReplyFailure) -> POP3Reply {
        let word = line.prefix { !$0.isBlank }
        let status: POP3Reply.Status
        if word.elementsEqual("+OK".utf8) {
            status = .ok
        } else if word.elementsEqual("-ERR".utf8) {
            status = .error
        } else if word.elementsEqual("+".utf8) {
            status = .challenge
        } else {
            throw .notAReply(excerpt(line))
        }
        return POP3Reply(status, octets: [UInt8](line.dropFirst(word.count + 1)))
    }

    private static func excerpt(_ octets: ArraySlice<UInt8>) -> String {
        let shown = octets.prefix(64).map { $0 < 0x20 || $0 >= 0x7F ? UInt8(0x3F) : $0 }
        return String(decoding: shown, as: UTF8.self) + (octets.count > 64 ? "…" : "")
    }
}

/// Why octets are no reply.
enum POP3ReplyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line starts with no status. Holds the start of it, safe to print.
    case notAReply(String)
    /// The octets are a TLS record: this port speaks TLS from the first octet.
    case tlsRecord
    /// The line is longer than `POP3Session.lineLimitInOctets`.
    case lineTooLong

    /// What the server did, to follow "the server".
    var description: String {
        switch self {
        case .notAReply(let start): "sent \"\(start)\" where a POP3 reply was due"
        case .tlsRecord: "speaks TLS on this port from the first octet"
        case .lineTooLong: "sent a line of more than \(POP3Session.lineLimitInOctets) octets"
        }
    }
}
