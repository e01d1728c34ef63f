import MartletBytes
import MartletCompression
import MartletTestSupport
import Testing

@testable import MartletIMAP

@Suite("Compressed IMAP", .timeLimit(.minutes(1)))
struct CompressionTests {
    @Test("waits for a slow consumer though a few octets mean very many")
    func slowConsumer() async throws {
        let count = 40
        try await withScriptedIMAP(compressingServer(rows: count)) { settings in
            settings.compresses = true
        } _: { imap in
            try await imap.select(.inbox)
            var rows = imap.rows(UIDSet.all, [.message]).makeAsyncIterator()
            var seen = try await rows.next() == nil ? 0 : 1
            let connection = try await imap.selected()
            // All has been read from the socket long before.
            try await waitUntil { await connection.readerRests }
            #expect(await connection.pendingInputCount > 0)
            while let row = try await rows.next() {
                #expect(row.data(of: .message)?.octets?.count == 200_000)
                seen += 1
            }
            #expect(seen == count)
            try await imap.noop()
        }
    }

    /// A server whose messages are nothing but zeros.
    private func compressingServer(rows: Int) -> ScriptedIMAP {
        ScriptedIMAP(capabilities: "IMAP4rev1 SASL-IR AUTH=PLAIN COMPRESS=DEFLATE") {
            command, peer in
            guard command.words == "COMPRESS DEFLATE" else { return false }
            try await peer.say("\(command.tag) OK\r\n")
            let inflater = try Inflater()
            let deflater = try Deflater()
            var heard: [UInt8] = []
            while true {
                let octets = try await peer.channel.read()
                guard !octets.isEmpty else { throw PeerGone() }
                try inflater.append(octets)
                while try inflater.next(into: &heard) > 0 {}
                while let end = heard.firstIndex(of: ASCII.lf) {
                    let line = String(decoding: heard[..<end], as: UTF8.self)
                    heard.removeSubrange(...end)
                    let words = line.split(separator: " ", maxSplits: 1)
                    let tag = String(words[0])
                    var answer: [UInt8] = []
                    if words[1].hasPrefix("UID FETCH") {
                        for number in 1...rows {
                            let head = "* \(number) FETCH (UID \(number) BODY[] {200000}\r\n"
                            answer += Array(head.utf8) + [UInt8](repeating: 0x30, count: 200_000)
                            answer += Array(")\r\n".utf8)
                        }
                    } else if words[1].hasPrefix("SELECT") {
                        answer += Array("* \(rows) EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n".utf8)
                    }
                    answer += Array("\(tag) OK done\r\n".utf8)
                    var octets: [UInt8] = []
                    try deflater.append(answer, to: &octets)
                    try deflater.flush(to: &octets)
                    try await peer.say(octets)
                }
            }
        }
    }
}

extension IMAPConnection {
    fileprivate var readerRests: Bool { readerWaiter != nil }
    fileprivate var pendingInputCount: Int { inflater?.pendingInputCount ?? 0 }
}
