import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output for results, standard error for everything a person reads meanwhile.
package final class Console: Sendable {
    /// Whether a person sees standard error.
    package let isWatched: Bool
    /// Whether standard input comes from a person.
    let isTyped: Bool
    /// Whether standard output is a terminal.
    let isShown: Bool
    // Guards the order of writes and the progress line that may have to be wiped first.
    private let progress = Mutex("")
    private let lostOutput = Mutex(false)

    private let isCutOff = Mutex(false)

    /// Whether somebody stopped reading the result before its end.
    var isOutputCutOff: Bool { isCutOff.withLock { $0 } }

    /// Whether a result could not be written. That nobody reads any more is no loss.
    var hasLostOutput: Bool { lostOutput.withLock { $0 } }

    init() {
        isWatched = isatty(2) == 1
        isTyped = isatty(0) == 1
        isShown = isatty(1) == 1
    }

    /// Writes a line of result.
    package func output(_ line: String) { write(line + "\n", to: 1) }

    /// Writes a text of result as it is.
    package func output(text: String) { write(text, to: 1) }

    /// Writes octets that somebody else has written, as they are; on a terminal without what could move its cursor.
    func output(message octets: ArraySlice<UInt8>) {
        guard isShown else { return output(octets: Array(octets)) }
        let text = String(decoding: octets, as: UTF8.self)
        output(text: Self.printable(text.replacing("\r\n", with: "\n"), keepsDirections: true))
    }

    /// Writes octets of result as they are.
    func output(octets: [UInt8]) { write(octets, to: 1) }

    /// Writes a remark to standard error, without anything that could move a terminal's cursor.
    package func remark(_ line: String) {
        progress.withLock { shown in
            write(wipe(shown) + Self.printable(line) + "\n" + shown, to: 2)
        }
    }

    /// Shows how far things are, on a terminal only; an empty text removes it.
    package func show(progress text: String) {
        guard isWatched else { return }
        progress.withLock { shown in
            guard shown != text else { return }
            write(wipe(shown) + text, to: 2)
            shown = text
        }
    }

    private func wipe(_ shown: String) -> String { shown.isEmpty ? "" : "\r\u{1B}[K" }

    private func write(_ text: String, to number: Int32) { write(Array(text.utf8), to: number) }

    /// Gives up silently when nobody reads any more; any other reason is told once, since a result is lost.
    private func write(_ octets: [UInt8], to number: Int32) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody who shares the pipe or terminal has made it non-blocking.
                var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                if number == 1 {
                    isCutOff.withLock { $0 = true }
                    if errno != EPIPE { tellOfLostOutput(errno) }
                }
                return
            }
        }
    }

    private func tellOfLostOutput(_ error: Int32) {
        let isFirst = lostOutput.withLock { isLost in
            defer { isLost = true }
            return !isLost
        }
        guard isFirst else { return }
        remark("martlet: the result could not be written: \(String(cString: strerror(error))).")
    }

    /// The text with control characters, line ends and tabs aside, as "?".
    ///
    /// - Parameter keepsDirections: without it also characters that override or isolate the direction of text, and
    ///   Unicode's own line ends. The marks that Hebrew and Arabic are written with (U+200E, U+200F, U+061C) stay.
    package static func printable(_ text: String, keepsDirections: Bool = false) -> String {
        var text = text
        return text.withUTF8 { octets in
            var shown: [UInt8] = []
            shown.reserveCapacity(octets.count)
            var start = 0
            var index = 0
            while index < octets.count {
                let size = Unprintable.size(
                    in: octets, at: index, includesDirections: !keepsDirections)
                if size > 0 {
                    shown += octets[start..<index]
                    shown.append(UInt8(ascii: "?"))
                    start = index + size
                }
                index += max(size, 1)
            }
            shown += octets[start...]
            return String(decoding: shown, as: UTF8.self)
        }
    }
}

// The method named `write` hides the system's function inside the class.
private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(number, buffer, count)
}
