import MartletBytes
import MartletFiles
import MartletTestSupport
import Testing

@Suite("State of a Maildir")
struct MaildirStateTests {
    @Test("changes with each message that comes, goes or gets flags, and with nothing else")
    func state() async throws {
        let folder = try TemporaryFolder("state")
        defer { folder.remove() }
        let maildir = try Maildir.create(path: folder.path + "/mail")
        var last = maildir.state()
        func expectChange(_ what: String) async throws {
            #expect(maildir.state() != last, "\(what)")
            #expect(maildir.state().lastChange >= last.lastChange)
            last = maildir.state()
            // The file system's clock has steps.
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .milliseconds(20))
        let source = OctetArray(Array("Subject: x\r\n\r\n".utf8))
        let new = try await maildir.deliver(source, forcingToDisk: false)
        try await expectChange("new mail")
        var message = try maildir.set([.seen], of: new)
        try await expectChange("moved to cur")
        message = try maildir.set([.seen, .flagged], of: message)
        try await expectChange("another flag")
        #expect(try maildir.octets(of: message).count == 14)
        #expect(maildir.state() == last)
        #expect(try maildir.arrival(of: message) > 1_700_000_000)
        try maildir.remove(message)
        try await expectChange("removed")
        #expect(throws: FileError.self) { try maildir.arrival(of: message) }
    }
}
