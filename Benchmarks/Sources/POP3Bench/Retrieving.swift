import BenchReport
import Martlet

/// Retrieves all messages: from nothing to a connection that is closed again.
func retrieve(_ options: Options, into report: inout Report) async throws {
    let server = try options.server()
    let maildir = try options.maildir.map { path throws(FileError) in
        try Maildir.create(path: path)
    }
    let start = ContinuousClock.now
    let client = POP3Client(server)
    let messages = try await client.messages()
    let listed = seconds(since: start)
    Memory.forgetPeak()
    let idle = Memory.resident
    var octets = 0
    try await client.retrieve(messages.map(\.number)) { (message) async throws in
        octets += message.octets.count
        // As the peer does it, which forces each message to the disk as well.
        _ = try await maildir?.deliver(OctetArray(message.octets))
    }
    let retrieved = seconds(since: start)
    try await client.disconnect()
    report.note("seconds", seconds(since: start))
    report.note("list_seconds", listed)
    report.note("retrieve_seconds", retrieved - listed)
    report.note("messages", messages.count)
    report.note("octets", octets)
    report.note("above_idle_MiB", Memory.peak - idle)
}
