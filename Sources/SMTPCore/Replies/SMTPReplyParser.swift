import MartletBytes

/// Finds whole replies in what a server sends, however it is cut. Linear in the octets. RFC 5321 §4.2.
///
/// Tolerated: a bare LF as line end, a code with nothing after it (`250`), any octets in the text.
/// Not tolerated: anything that does not start with a code, codes that differ within a reply, and
/// more than the limits below.
public struct SMTPReplyParser: Sendable {
    /// Most octets of one line without its line end. RFC 5321 §4.5.3.1.5 asks for 512; real ones are longer.
    public static let lineLimitInOctets = 8 * 1024
    /// Most lines of one reply.
    public static let lineCountLimit = 1_000
    /// Most octets of the texts of one reply together.
    public static let replyLimitInOctets = 256 * 1024

    /// Why octets are no reply.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line does not start with a reply code. Holds the start of it, safe to print.
        case notAReply(String)
        /// The octets are a TLS record: this port speaks TLS from the first octet.
        case tlsRecord
        /// A line of the reply has another code than the first.
        case codesDiffer(Int, Int)
        /// A line is longer than `lineLimitInOctets`.
        case lineTooLong
        /// The reply is longer than `lineCountLimit` lines or `replyLimitInOctets` octets.
        case replyTooLong

        /// What the server did, to follow "the server".
        public var description: String {
            switch self {
            case .notAReply(let start): "sent \"\(start)\" where an SMTP reply was due"
            case .tlsRecord: "speaks TLS on this port from the first octet"
            case .codesDiffer(let first, let other):
                "sent a reply whose lines have the codes \(first) and \(other)"
            case .lineTooLong:
                "sent a reply line of more than \(SMTPReplyParser.lineLimitInOctets) octets"
            case .replyTooLong:
                "sent a reply of more than \(SMTPReplyParser.lineCountLimit) lines or "
                    + "\(SMTPReplyParser.replyLimitInOctets) octets"
            }
        }
    }

    private var buffer: [UInt8] = []
    private var start = 0  // of the line being looked for
    private var scanned = 0  // no LF between `start` and here
    // The lines so far of a reply that goes on.
    private var code = 0
    private var text: [UInt8] = []
    private var lineCount = 0

    /// Makes a parser at the start of a reply.
    public init() {}

    /// Whether octets wait that no reply has used: some of a reply, or more replies.
    public var hasBufferedOctets: Bool { start < buffer.count || lineCount > 0 }

    /// The start of a line that is not complete, safe to print.
    var excerpt: String { Self.excerpt(buffer[start...]) }

    /// Takes octets as they come.
    public mutating func append(_ octets: [UInt8]) {
        octets.withUnsafeBufferPointer { append($0) }
    }

    /// Takes octets as they come.
    public mutating func append(_ octets: ArraySlice<UInt8>) {
        octets.withUnsafeBufferPointer { append($0) }
    }

    /// Takes octets as they come.
    public mutating func append(_ octets: UnsafeBufferPointer<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            scanned = 0
            start = 0
        } else if start > 4096, start > buffer.count / 2 {
            // Moves fewer octets than it frees, so that the whole stays linear.
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: octets)
    }

    /// The next whole reply, `nil` when more octets are needed.
    ///
    /// After a failure the parser is of no more use: the stream has no next reply that could be trusted.
    public mutating func next() throws(Failure) -> SMTPReply? {
        while let line = try nextLine() {
            let (lineCode, continues) = try Self.codeOfLine(buffer[line])
            let rest = line.dropFirst(4)
            if lineCount == 0 {
                code = lineCode
                // The common reply has one line: no detour through `text`.
                if !continues { return SMTPReply(code: lineCode, octets: [UInt8](buffer[rest])) }
            } else {
                guard lineCode == code else { throw .codesDiffer(code, lineCode) }
                text.append(ASCII.lf)
            }
            text.append(contentsOf: buffer[rest])
            lineCount += 1
            guard lineCount <= Self.lineCountLimit, text.count <= Self.replyLimitInOctets else {
                throw .replyTooLong
            }
            if !continues {
                defer {
                    text = []
                    lineCount = 0
                }
                return SMTPReply(code: code, octets: text)
            }
        }
        return nil
    }

    /// The place of the next whole line without its line end; moves past it.
    private mutating func nextLine() throws(Failure) -> Range<Int>? {
        var offset = scanned
        let count = buffer.count
        let found = buffer.withUnsafeBufferPointer { octets in
            while offset < count, octets[offset] != ASCII.lf { offset += 1 }
            return offset < count
        }
        scanned = offset
        if count - start >= 2, lineCount == 0, buffer[start + 1] == 0x03,
            buffer[start] == 0x15 || buffer[start] == 0x16
        {
            throw .tlsRecord
        }
        var end = offset
        if found, end > start, buffer[end - 1] == ASCII.cr { end -= 1 }
        // One more octet may be the CR of a line that just fits.
        guard end - start <= Self.lineLimitInOctets + (found ? 0 : 1) else { throw .lineTooLong }
        guard found else { return nil }
        defer {
            start = offset + 1
            scanned = start
        }
        return start..<end
    }

    // Reply-line = Reply-code [ "-" / SP ] [ textstring ] CRLF ; RFC 5321 §4.2
    private static func codeOfLine(_ line: ArraySlice<UInt8>) throws(Failure) -> (Int, Bool) {
        let first = line.startIndex
        guard line.count >= 3, 0x32...0x35 ~= line[first], line[first + 1].isDigit,
            line[first + 2].isDigit,
            line.count == 3 || line[first + 3] == ASCII.space || line[first + 3] == ASCII.hyphen
        else { throw .notAReply(excerpt(line)) }
        let hundreds = Int(line[first] - ASCII.zero) * 100
        let code =
            hundreds + Int(line[first + 1] - ASCII.zero) * 10 + Int(line[first + 2] - ASCII.zero)
        return (code, line.count > 3 && line[first + 3] == ASCII.hyphen)
    }

    private static func excerpt(_ octets: ArraySlice<UInt8>) -> String {
        let shown = octets.prefix(64).map { $0 < 0x20 || $0 >= 0x7F ? UInt8(0x3F) : $0 }
        return String(decoding: shown, as: UTF8.self) + (octets.count > 64 ? "…" : "")
    }
}
