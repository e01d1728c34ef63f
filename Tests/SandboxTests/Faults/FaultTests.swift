import Foundation
import MartletSandbox
import Testing

private typealias Fault = Sandbox.Fault

@Suite("Fault")
struct FaultTests {
    private func decode(_ json: String) throws -> Fault {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try decoder.decode(Fault.self, from: Data(json.utf8))
    }

    private static let readable: [(String, Fault)] = [
        (
            "{name: 'grey', protocol: 'smtp', command: 'RCPT', recipient: '*@example.org', times: 1, reply: '450 4.7.1 Later'}",
            Fault(
                .reply("450 4.7.1 Later"), at: "RCPT", of: .smtp, recipient: "*@example.org",
                times: 1, name: "grey")
        ),
        ("{delay: 0.5}", Fault(.delay(.milliseconds(500)))),
        ("{command: 'dot', drop: 'beforeReply'}", Fault(.drop(.beforeReply), at: "dot")),
        ("{drop: 'now', after: 3}", Fault(.drop(.now), after: 3)),
        ("{silence: {afterWriting: 10}}", Fault(.silence(.afterWriting(octets: 10)))),
        (
            "{command: 'data', drop: {afterReading: 10}}",
            Fault(.drop(.afterReading(octets: 10)), at: "data")
        ),
        ("{throttle: 100, user: 'bob'}", Fault(.throttle(octetsPerSecond: 100), user: "bob")),
        (
            "{protocol: 'IMAP', capabilities: {add: ['X'], remove: ['IDLE']}}",
            Fault(.capabilities(add: ["X"], remove: ["IDLE"]), of: .imap)
        ),
        ("{cut: 5, command: 'uid fetch'}", Fault(.cut(octets: 5), at: "uid fetch")),
        (
            "{renewUIDs: true, command: 'SELECT', mailbox: 'Archive*'}",
            Fault(.renewUIDs, at: "SELECT", mailbox: "Archive*")
        ),
        ("{preauthenticate: 'bob'}", Fault(.preauthenticate(user: "bob"))),
    ]

    @Test("is read from JSON5, and written as it is read", arguments: readable)
    private func json(text: String, fault: Fault) throws {
        #expect(try decode(text) == fault)
        let written = try JSONEncoder().encode(fault)
        #expect(try decode(String(decoding: written, as: UTF8.self)) == fault)
    }

    @Test(
        "that cannot be is refused with a sentence that says what to do",
        arguments: [
            ("{}", "one of reply, delay"),
            ("{reply: '550 No', delay: 1}", "one thing"),
            ("{reply: '550 No', comand: 'RCPT'}", "no \"comand\""),
            ("{protocol: 'http', delay: 1}", "smtp, lmtp, imap or pop3"),
            ("{command: 'RCTP', delay: 1}", "no RCTP"),
            ("{protocol: 'smtp', command: 'FETCH', delay: 1}", "no FETCH in SMTP"),
            ("{protocol: 'smtp', command: 'LHLO', delay: 1}", "no LHLO in SMTP"),
            ("{command: 'FETCH', reply: '550 No'}", "reply of SMTP and LMTP, not of IMAP"),
            ("{command: 'RCPT', reply: 'NO [LIMIT] Later'}", "reply of IMAP"),
            ("{reply: 'Nope'}", "reply is what a server says"),
            ("{reply: '354 Go on'}", "reply is what a server says"),
            ("{reply: '999 What'}", "reply is what a server says"),
            ("{reply: 'PREAUTH Hello'}", "reply is what a server says"),
            ("{reply: '550 two\\r\\nlines'}", "on one line"),
            ("{reply: ''}", "on one line"),
            ("{command: 'greeting', reply: 'NO thanks'}", "OK or BYE"),
            ("{delay: 0}", "up to 300 seconds"), ("{delay: -1}", "up to 300 seconds"),
            ("{delay: 301}", "up to 300 seconds"), ("{delay: 1e300}", "up to 300 seconds"),
            ("{drop: 'later'}", "beforeReply"), ("{drop: {}}", "beforeReply"),
            ("{drop: {afterWriting: -1}}", "from 0 on"),
            ("{drop: {afterReading: 5}}", "say command \"DATA\""),
            ("{command: 'APPEND', drop: {afterReading: 5}}", "say command \"DATA\""),
            ("{throttle: 0}", "from 1 on"), ("{cut: 0}", "from 1 on"),
            ("{command: 'DATA', cut: 5}", "FETCH and UID FETCH"),
            ("{protocol: 'smtp', cut: 5}", "FETCH and UID FETCH"),
            ("{capabilities: {}}", "add or remove"),
            ("{capabilities: {ad: ['X']}}", "no \"ad\""),
            ("{command: 'EHLO', capabilities: {add: ['X']}}", "leave the command out"),
            ("{protocol: 'pop3', user: 'b', capabilities: {add: ['X']}}", "leave the user out"),
            ("{protocol: 'smtp', renewUIDs: true}", "by POP3 at login"),
            ("{renewUIDs: false}", "true, or not there"),
            ("{protocol: 'pop3', preauthenticate: 'bob'}", "greeting of IMAP"),
            ("{command: 'NOOP', preauthenticate: 'bob'}", "leave the command out"),
            ("{command: 'greeting', user: 'bob', delay: 1}", "nobody is known"),
            ("{command: 'MAIL', recipient: 'bob', delay: 1}", "recipient is known at RCPT"),
            ("{protocol: 'imap', recipient: 'bob', delay: 1}", "recipient is known at RCPT"),
            ("{command: 'RETR', mailbox: 'INBOX', delay: 1}", "in IMAP only"),
            ("{after: -1, delay: 1}", "after is"), ("{times: 0, delay: 1}", "times is"),
        ])
    func garbage(json: String, words: String) throws {
        do {
            let fault = try decode(json)
            Issue.record("\(json) is \(fault)")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription.contains(words), "\(json): \(context)")
        }
    }

    @Test("that is too long is refused")
    func limits() {
        let long = String(repeating: "x", count: Fault.textLimitInOctets)
        #expect(throws: Never.self) { try Fault(.delay(.seconds(1)), user: long).validate() }
        #expect(throws: SandboxError.self) {
            try Fault(.delay(.seconds(1)), user: long + "x").validate()
        }
        #expect(throws: SandboxError.self) {
            try Fault(.capabilities(add: Array(repeating: "X", count: 101))).validate()
        }
    }

    @Test("in a configuration stops the start, with its name")
    func configuration() async throws {
        var configuration = Sandbox.Configuration.freePorts
        configuration.faults = [Fault(.cut(octets: 1), at: "DATA", name: "odd")]
        let error = await #expect(throws: SandboxError.self) {
            try await Sandbox.start(configuration)
        }
        #expect(error?.kind == .invalidFault)
        #expect(error?.description.hasPrefix("Fault \"odd\": cut is for") == true)
    }

    @Test("comes and goes while the sandbox runs; a bad one changes nothing")
    func placing() async throws {
        try await withSandbox({ $0.faults = [Fault(.delay(.seconds(1)), name: "first")] }) {
            sandbox in
            let second = try sandbox.addFault(Fault(.drop(.now), at: "DATA"))
            #expect(sandbox.faults.map(\.id) == [1, second])
            #expect(throws: SandboxError.self) {
                try sandbox.setFaults([Fault(.drop(.now)), Fault(.delay(.zero))])
            }
            #expect(sandbox.faults.count == 2)
            #expect(sandbox.removeFault(1))
            #expect(!sandbox.removeFault(1))
            try sandbox.setFaults([Fault(.drop(.now), name: "new")])
            #expect(sandbox.faults.map(\.fault.name) == ["new"])
            sandbox.removeFaults()
            #expect(sandbox.faults.isEmpty)
            #expect(throws: SandboxError.self) {
                try sandbox.setFaults(Array(repeating: Fault(.drop(.now)), count: 1_001))
            }
            try sandbox.addFault(Fault(.drop(.now)))
            await sandbox.reset()
            #expect(sandbox.faults.map(\.fault.name) == ["first"])
        }
    }
}
