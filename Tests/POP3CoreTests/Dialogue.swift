import MartletBytes
import MartletPOP3Core

/// A client's session whose other end is the test.
struct Dialogue {
    var session = POP3Session()
    var output = POP3Encoder()

    init() {}

    /// Past the greeting and CAPA with these capabilities.
    init(offering capabilities: [String]) throws {
        _ = try server("+OK ready")
        _ = try client(POP3.Capa())
        _ = try server("+OK")
        for line in capabilities + ["."] { _ = try server(line) }
    }

    /// Submits and gives what goes on the wire.
    mutating func client(_ command: some POP3Command) throws(POP3Error) -> String {
        try session.submit(command, into: &output)
        defer { output.removeAll() }
        return String(decoding: output.octets, as: UTF8.self)
    }

    /// Feeds a line and gives what is whole then.
    @discardableResult
    mutating func server(_ line: String) throws(POP3Error) -> [POP3Event] {
        session.receive(octets(line + "\r\n"))
        return try events()
    }

    mutating func events() throws(POP3Error) -> [POP3Event] {
        var events: [POP3Event] = []
        while let event = try session.nextEvent() { events.append(event) }
        return events
    }
}

func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The error that `body` throws.
func failure(_ body: () throws -> Void) -> POP3Error? {
    do {
        try body()
        return nil
    } catch {
        return error as? POP3Error
    }
}
