import Synchronization
import Testing

@testable import MartletTransport

@Suite("WireLog")
struct WireLogTests {
    final class Lines: Sendable {
        let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        /// Without the number and the time in front.
        var texts: [String] {
            all.map { $0.split(separator: " ", maxSplits: 2).dropFirst(2).joined() }
        }
    }

    private func record(_ body: (WireLog.Connection) -> Void) -> Lines {
        let lines = Lines()
        let log = WireLog { line in lines.lines.withLock { $0.append(line) } }
        body(log.connection())
        log.flush()
        return lines
    }

    @Test("shows a line for each line, and who said it")
    func lines() {
        let lines = record {
            $0.record(.server, Array("250-one\r\n250 two\r\n".utf8))
            $0.record(.client, Array("QUIT\r\n".utf8))
            $0.note("closed")
        }
        #expect(lines.texts == ["S: 250-one", "S: 250 two", "C: QUIT", "-- closed"])
        #expect(lines.all.allSatisfy { $0.hasPrefix("1 0.") })
    }

    @Test("never shows a secret")
    func secrets() {
        let lines = record {
            $0.record(.client, Array("AUTH PLAIN AGFsaWNlAHB3\r\n".utf8), maskedFrom: 11)
            $0.record(.client, Array("YWxpY2U=\r\n".utf8), maskedFrom: 0)
        }
        #expect(lines.texts == ["C: AUTH PLAIN •••", "C: •••"])
    }

    @Test("cannot move a terminal's cursor, and shows long lines cut")
    func hostile() {
        let lines = record {
            $0.record(.server, Array("220 \u{1B}[2J\u{9B}x\0y\r\n".utf8))
            $0.record(.server, Array("250 \u{202E}evil\u{2028}\r\n".utf8))
            $0.record(.server, [UInt8](repeating: 0x61, count: 1_000_000))
        }
        #expect(lines.texts[0] == "S: 220 \\x1B[2J\\x9Bx\\x00y")
        #expect(lines.texts[1] == "S: 250 \\x{202E}evil\\x{2028}")
        #expect(lines.texts[2].count < 2_100)
        #expect(lines.texts[2].hasSuffix("…"))
    }

    @Test("numbers connections apart")
    func numbers() {
        let lines = Lines()
        let log = WireLog { line in lines.lines.withLock { $0.append(line) } }
        log.connection().note("a")
        log.connection().note("b")
        log.flush()
        #expect(lines.all.map(\.first) == ["1", "2"])
    }
}
