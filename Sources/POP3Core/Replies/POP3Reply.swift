import MartletBytes

/// What a server answers: a status, text, and for some commands lines or a message behind it. RFC 1939 §3.
///
///     S: -ERR [AUTH] Invalid login
///     S: +OK 2 messages
///     S: 1 120
///     S: 2 200
///     S: .
public struct POP3Reply: Hashable, Sendable, CustomStringConvertible {
    /// The first word.
    public enum Status: String, Hashable, Sendable {
        /// Done.
        case ok = "+OK"
        /// Not done.
        case error = "-ERR"
        /// A login goes on: the text is a challenge. RFC 5034 §4.
        case challenge = "+"
    }

    /// The first word.
    public let status: Status
    /// What stands behind it in the same line, with its code, as sent.
    public let octets: [UInt8]
    /// The code at the start of an error's text. RFC 2449 §6.4.
    public let code: POP3ResponseCode?
    /// The lines that follow, each with its end, as they were before dots were doubled. Empty where a message follows: it is
    /// handed on while it comes.
    public package(set) var body: [UInt8] = []

    /// Makes a reply. CR and LF in its text become spaces.
    public init(_ status: Status, octets: [UInt8], body: [UInt8] = []) {
        self.status = status
        self.octets = octets.map { $0.isLineBreak ? ASCII.space : $0 }
        self.body = body
        code = status == .error ? POP3ResponseCode.prefix(of: octets[...])?.code : nil
    }

    /// Makes a positive reply.
    public static func ok(_ text: String = "") -> POP3Reply {
        POP3Reply(.ok, octets: Array(text.utf8))
    }

    /// Makes a negative reply.
    public static func error(_ code: POP3ResponseCode? = nil, _ text: String) -> POP3Reply {
        POP3Reply(.error, octets: Array((code.map { "\($0) " } ?? "").utf8) + text.utf8)
    }

    /// Whether the server did what it was asked for.
    public var isOK: Bool { status == .ok }

    /// The text for people, without its code; controls become `�`.
    public var text: String {
        var words = octets[...]
        if code != nil, let prefix = POP3ResponseCode.prefix(of: words) {
            words = words.dropFirst(prefix.octets)
            if words.first == ASCII.space { words.removeFirst() }
        }
        var shown: [UInt8] = []
        for octet in words {
            if octet.isControl && octet != ASCII.tab {
                shown.append(contentsOf: "\u{FFFD}".utf8)
            } else {
                shown.append(octet)
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The lines of `body` without their ends.
    public var lines: [ArraySlice<UInt8>] {
        var lines = body.split(separator: ASCII.lf, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.last == ASCII.cr ? $0.dropLast() : $0 }
    }

    /// Appends the first line as it goes on the wire.
    public func encode(into output: inout [UInt8]) {
        output.append(contentsOf: status.rawValue.utf8)
        // A challenge has its space even when it is empty. RFC 5034 §4.
        if !octets.isEmpty || status == .challenge { output.append(ASCII.space) }
        output.append(contentsOf: octets)
        output.append(contentsOf: [ASCII.cr, ASCII.lf])
    }

    /// `-ERR [AUTH] "Invalid login"`, on one line.
    public var description: String {
        status.rawValue + (code.map { " \($0)" } ?? "") + (text.isEmpty ? "" : " \"\(text)\"")
    }
}
