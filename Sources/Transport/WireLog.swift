import Dispatch
import Synchronization

/// What went over the wire, as lines that are safe to post: secrets are `•••`, message bodies are counted, not shown.
///
///     1 0.004 S: 220 mail.example.org ESMTP
///     1 0.004 C: EHLO client.example.org
///     1 0.031 C: AUTH PLAIN •••
///     1 0.044 C: (1,204 octets of message)
///
/// The first column numbers the connection, the second is the time in seconds since it began.
public final class WireLog: Sendable {
    /// Who said it.
    public enum Side: String, Sendable {
        /// This side, when it is the client; the other one, when this is the server.
        case client = "C: "
        /// The server.
        case server = "S: "
        /// The log itself: TLS began, the connection closed.
        case note = "-- "
    }

    /// What stands for a secret.
    public static let mask = "•••"
    /// Lines that wait for a slow writer; more are dropped, and counted in a line of their own.
    private static let backlogLimit = 10_000
    /// Octets shown of one line.
    private static let lineLimit = 2_000

    private let write: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "martlet.wire-log")
    private let counters = Mutex(Counters())

    private struct Counters {
        var connections = 0
        var waiting = 0
        var dropped = 0
    }

    /// - Parameter write: takes one line at a time without its line end, in order, on a queue of the log's own.
    public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Waits until all lines so far are written.
    public func flush() { queue.sync {} }

    /// Begins a connection with the next number.
    package func connection() -> Connection {
        let number = counters.withLock { counters in
            counters.connections += 1
            return counters.connections
        }
        return Connection(log: self, number: number, start: .now)
    }

    /// The lines of one connection.
    package struct Connection: Sendable {
        fileprivate let log: WireLog
        fileprivate let number: Int
        fileprivate let start: MonotonicTime

        /// Records octets that are no secret: one line of the log for each line.
        package func record(_ side: Side, _ octets: some Collection<UInt8>) {
            let time = MonotonicTime.now
            var line: [UInt8] = []
            for octet in octets {
                if octet == 0x0A {
                    record(side, line, at: time)
                    line.removeAll(keepingCapacity: true)
                } else if line.count <= WireLog.lineLimit {
                    line.append(octet)
                }
            }
            if !line.isEmpty { record(side, line, at: time) }
        }

        /// Records a line of which the part from `offset` on is a secret.
        package func record(_ side: Side, _ octets: [UInt8], maskedFrom offset: Int) {
            let shown = WireLog.text(octets[..<min(offset, octets.count)])
            log.add("\(prefix(side, .now))\(shown)\(WireLog.mask)")
        }

        /// Records a remark such as `TLS 1.3 began`.
        package func note(_ text: String) { log.add(prefix(.note, .now) + text) }

        /// Records that `count` octets of message went over.
        package func record(_ side: Side, messageOctets count: Int) {
            log.add("\(prefix(side, .now))(\(count) octets of message)")
        }

        private func record(_ side: Side, _ line: [UInt8], at time: MonotonicTime) {
            let content = line.last == 0x0D ? line.dropLast() : line[...]
            log.add(prefix(side, time) + WireLog.text(content))
        }

        private func prefix(_ side: Side, _ time: MonotonicTime) -> String {
            let milliseconds = (time.nanoseconds - start.nanoseconds) / 1_000_000
            let fraction = String(milliseconds % 1000 + 1000).dropFirst()
            return "\(number) \(milliseconds / 1000).\(fraction) \(side.rawValue)"
        }
    }

    /// UTF-8 as it is, everything that could move a terminal's cursor as `\xNN`, and what could turn or break a line
    /// as `\x{NNNN}`.
    private static func text(_ line: ArraySlice<UInt8>) -> String {
        var text = ""
        for scalar in String(decoding: line.prefix(lineLimit), as: UTF8.self).unicodeScalars {
            if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
            } else if turnsText(scalar) {
                text += "\\x{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return line.count > lineLimit ? text + "…" : text
    }

    /// Marks of direction, and line ends of Unicode's own.
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private func add(_ line: String) {
        let isTaken = counters.withLock { counters in
            if counters.waiting >= Self.backlogLimit {
                counters.dropped += 1
                return false
            }
            counters.waiting += 1
            return true
        }
        guard isTaken else { return }
        queue.async { [self] in
            write(line)
            let dropped = counters.withLock { counters in
                counters.waiting -= 1
                guard counters.waiting == 0 else { return 0 }
                defer { counters.dropped = 0 }
                return counters.dropped
            }
            if dropped > 0 { write("-- \(dropped) lines were dropped: the log could not keep up") }
        }
    }
}
