import MartletBytes
import MartletSMTPCore

/// A session whose other end is the test.
struct Dialogue {
    var session = SMTPSession()
    var output = SMTPEncoder()

    init() {}

    /// Past the greeting and EHLO with these extensions.
    init(offering extensions: [String]) throws {
        _ = try server("220 mx.example.org ESMTP")
        _ = try client(EHLO(EHLOName("client.example.org")))
        let lines = ["mx.example.org"] + extensions
        for (index, line) in lines.enumerated() {
            _ = try server((index + 1 < lines.count ? "250-" : "250 ") + line)
        }
    }

    /// Submits and gives what goes on the wire.
    mutating func client(_ command: some SMTPCommand) throws(SMTPError) -> String {
        try session.submit(command, into: &output)
        return takeOutput()
    }

    mutating func takeOutput() -> String {
        defer { output.removeAll() }
        return String(decoding: output.octets, as: UTF8.self)
    }

    /// Feeds a line and gives the replies that are whole then.
    @discardableResult
    mutating func server(_ line: String) throws(SMTPError) -> [SMTPReply] {
        session.receive(Array((line + "\r\n").utf8))
        return try replies()
    }

    mutating func replies() throws(SMTPError) -> [SMTPReply] {
        var replies: [SMTPReply] = []
        while let reply = try session.nextReply() { replies.append(reply) }
        return replies
    }
}

func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The error that `body` throws.
func error(_ body: () throws -> Void) -> SMTPError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SMTPError
    }
}
