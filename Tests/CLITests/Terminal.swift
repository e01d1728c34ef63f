import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A pseudo-terminal: what a program shows a person, and what the person types.
final class Terminal: Sendable {
    struct Unavailable: Error {}

    /// The program's side.
    let path: String
    private let number: Int32
    private let shown = Mutex(State())

    private struct State {
        var octets: [UInt8] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    init() throws(Unavailable) {
        number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard number >= 0, let path = Self.unlock(number) else { throw Unavailable() }
        self.path = path
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        DispatchQueue(label: "terminal").async { [self] in watch() }
    }

    /// Lets the other side be opened, and gives its path.
    private static func unlock(_ number: Int32) -> String? {
        #if canImport(Darwin)
            guard grantpt(number) == 0, unlockpt(number) == 0, let name = ptsname(number) else {
                return nil
            }
            return String(cString: name)
        #else
            // unlockpt and ptsname, which Swift's Glibc module leaves out: TIOCSPTLCK and TIOCGPTN.
            var lock: Int32 = 0
            var name: UInt32 = 0
            guard ioctl(number, 0x4004_5431, &lock) == 0, ioctl(number, 0x8004_5430, &name) == 0
            else { return nil }
            return "/dev/pts/\(name)"
        #endif
    }

    deinit { close(number) }

    func type(_ text: String) {
        let octets = Array(text.utf8)
        _ = write(number, octets, octets.count)
    }

    /// Waits until the terminal shows `text`, or the program is gone.
    func text(containing text: String) async -> String {
        while true {
            let (all, hasEnded, count) = shown.withLock {
                (String(decoding: $0.octets, as: UTF8.self), $0.hasEnded, $0.octets.count)
            }
            if hasEnded || all.contains(text) { return all }
            await withCheckedContinuation { continuation in
                let isNew = shown.withLock { state in
                    guard state.octets.count == count, !state.hasEnded else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isNew { continuation.resume() }
            }
        }
    }

    private func watch() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var isOpen = true
        var wasUsed = false
        while isOpen {
            let count = read(number, &buffer, buffer.count)
            if count > 0 {
                wasUsed = true
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EIO, !wasUsed {
                // Nobody has opened the other side yet.
                usleep(1_000)
                continue
            } else {
                isOpen = false
            }
            let waiters = shown.withLock { state in
                if count > 0 { state.octets += buffer[..<count] }
                state.hasEnded = !isOpen
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
