import MartletBytes
import MartletCompression
import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

@Suite("Field cases of IMAPClient: size and throttling", .timeLimit(.minutes(2)))
struct SizeFieldCaseTests {
    @Test("77: a slow reader of 40,000 headers holds the server back")
    func memory() async throws {
        let header = String(repeating: "x", count: 2_500)
        let said = Atomic(0)
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            for start in stride(from: 1, through: 40_000, by: 100) {
                let rows = (start..<(start + 100)).map {
                    "* \($0) FETCH (UID \($0) BODY[HEADER] {2500}\r\n\(header))\r\n"
                }.joined()
                try await peer.say(rows)
                said.wrappingAdd(rows.utf8.count, ordering: .relaxed)
            }
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var taken = 0
            for try await row in imap.rows(UIDSet.all, [.section(.header)]) {
                taken += row.data(of: .header)?.octets?.count ?? 0
                if taken == 2_500 {
                    // Long enough for all 100 MB, if nothing held them back.
                    var last = -1
                    while last != said.load(ordering: .relaxed) {
                        last = said.load(ordering: .relaxed)
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    #expect(last < 32 << 20)
                }
            }
            #expect(taken == 40_000 * 2_500)
        }
    }

    @Test("79: flags of 100,000 messages come as rows")
    func flags() async throws {
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            for start in stride(from: 1, through: 100_000, by: 1_000) {
                try await peer.say(
                    (start..<(start + 1_000)).map {
                        "* \($0) FETCH (UID \($0) FLAGS (\\Seen))\r\n"
                    }.joined())
            }
            try await peer.say("\(command.tag) OK\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            var rows = imap.rows(UIDSet.all, [.flags]).makeAsyncIterator()
            var count = 0
            while let batch = try await rows.nextBatch() { count += batch.count }
            #expect(count == 100_000)
            #expect(await imap.mailbox?.uid(of: SequenceNumber(99_999)!) == UID(99_999))
        }
    }

    @Test("80: a megabyte in small pieces, and 100,000 octets one by one", arguments: [64, 1])
    func smallPieces(piece: Int) async throws {
        let size = piece == 1 ? 100_000 : 1_000_000
        let server = ScriptedIMAP(inPiecesOf: piece) { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            try await peer.say(
                Array("* 1 FETCH (UID 1 BODY[] {\(size)}\r\n".utf8)
                    + [UInt8](repeating: 0x61, count: size)
                    + Array(")\r\n\(command.tag) OK\r\n".utf8))
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            #expect(try await imap.octets(of: UID(1)!).count == size)
        }
    }

    @Test(
        "81: a server that says to come again later is obeyed, and the caller told where that is long",
        arguments: [
            "NO Suggested Backoff Time: 50 milliseconds",
            "BAD Request is throttled. Suggested Backoff Time: 50 milliseconds",
            "NO [THROTTLED] Suggested Backoff Time: 50 milliseconds",
        ])
    func throttling(answer: String) async throws {
        let count = Mutex(0)
        let server = ScriptedIMAP { command, peer in
            guard command.words.hasPrefix("UID FETCH") else { return false }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let text =
                switch number {
                case 1: answer
                case 2: "OK"
                default: answer.replacing("50", with: "300000")
                }
            let row = number == 2 ? "* 2 FETCH (UID 20 FLAGS ())\r\n" : ""
            try await peer.say("\(row)\(command.tag) \(text)\r\n")
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await imap.select(.inbox)
            let start = ContinuousClock.now
            #expect(try await imap.fetch([UID(20)!], [.flags]).rows.count == 1)
            #expect(ContinuousClock.now - start >= .milliseconds(50))
            let error = await failure { _ = try await imap.fetch([UID(20)!], [.flags]) }
            #expect(error?.recovery == .retry(after: .seconds(300)))
            #expect(error?.description.contains("wait 300 seconds") == true)
        }
    }

    @Test("83: writes of nothing and of a megabyte go through compression, both ways")
    func compression() async throws {
        var random = SeededGenerator(seed: 83)
        // Half of it is such that it gets no smaller.
        let message =
            (0..<500_000).map { _ in UInt8.random(in: 32...126, using: &random) }
            + [UInt8](repeating: 0x61, count: 500_000)
        let received = Mutex<[UInt8]>([])
        let server = ScriptedIMAP(
            capabilities: "IMAP4rev1 COMPRESS=DEFLATE CATENATE LITERAL+ AUTH=PLAIN"
        ) { command, peer in
            guard command.words == "COMPRESS DEFLATE" else { return false }
            try await peer.say("\(command.tag) OK on\r\n")
            let compressed = try CompressedPeer(peer)
            while true {
                let line = try await compressed.line()
                let tag = line.prefix { $0 != " " }
                if line.contains("APPEND"), line.hasSuffix("{\(message.count)}") {
                    try await compressed.say("+ go\r\n")
                    let body = try await compressed.octets(message.count)
                    received.withLock { $0 = body }
                    _ = try await compressed.line()
                } else if line.hasSuffix("{0+}") {
                    #expect(try await compressed.line() == ")")
                } else if line.contains("UID FETCH") {
                    try await compressed.say("* 1 FETCH (UID 1 BODY[] {\(message.count)}\r\n")
                    try await compressed.say([])
                    try await compressed.say(message)
                    try await compressed.say([])
                    try await compressed.say(")\r\n")
                }
                try await compressed.say("\(tag) OK\r\n")
            }
        }
        try await withScriptedIMAP(server) {
            $0.compresses = true
        } _: { imap in
            try await imap.select(.inbox)
            try await imap.append(OctetArray(message), to: .inbox)
            try await imap.append([AppendMessage(.pieces([.text(OctetArray([]))]))], to: .inbox)
            #expect(try await imap.octets(of: UID(1)!) == message)
        }
        #expect(received.withLock { $0 } == message)
    }
}

/// The server's side of a connection that is compressed.
private actor CompressedPeer {
    private let peer: ScriptedPeer
    private let inflater: Inflater
    private let deflater: Deflater
    private var buffer: [UInt8] = []

    init(_ peer: ScriptedPeer) throws {
        self.peer = peer
        inflater = try Inflater()
        deflater = try Deflater()
    }

    func line() async throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[..<end]
                buffer.removeSubrange(...end)
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            try await fill()
        }
    }

    func octets(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count { try await fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    func say(_ text: String) async throws { try await say(Array(text.utf8)) }

    func say(_ octets: [UInt8]) async throws {
        var output: [UInt8] = []
        try deflater.append(octets, to: &output)
        try deflater.flush(to: &output)
        try await peer.say(output)
    }

    private func fill() async throws {
        let octets = try await peer.channel.read(within: ScriptedPeer.patience)
        guard !octets.isEmpty else { throw PeerGone() }
        try inflater.append(octets)
        while try inflater.next(into: &buffer) > 0 {}
    }
}
