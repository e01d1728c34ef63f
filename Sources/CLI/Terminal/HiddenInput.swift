import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Asks a person for a secret on the terminal, even where standard input is something else.
enum HiddenInput {
    /// Octets of a typed secret, at most.
    static let limitInOctets = 4_096

    enum Answer {
        case secret(Secret)
        /// Ctrl-C or Ctrl-D.
        case cancelled
        /// The program has no terminal.
        case noTerminal
    }

    /// Shows `prompt` and reads a line that is not shown. Blocks.
    static func ask(_ prompt: String) -> Answer {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return .noTerminal }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return .noTerminal }
        var quiet = before
        // Keys come one by one and Ctrl-C as an octet, so that the terminal is put right in any case.
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSADRAIN, &quiet) == 0 else { return .noTerminal }
        defer { tcsetattr(terminal, TCSADRAIN, &before) }
        show(Console.printable(prompt), on: terminal)
        defer { show("\n", on: terminal) }
        return readLine(from: terminal)
    }

    private static func readLine(from terminal: Int32) -> Answer {
        var line: [UInt8] = []
        line.reserveCapacity(limitInOctets)
        defer { for index in line.indices { line[index] = 0 } }
        while true {
            var octet: UInt8 = 0
            let count = read(terminal, &octet, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .cancelled }
            switch octet {
            case ASCII.cr, ASCII.lf: return .secret(Secret(octets: line))
            case 0x03: return .cancelled  // Ctrl-C
            case 0x04 where line.isEmpty: return .cancelled  // Ctrl-D
            case 0x15: line.removeAll(keepingCapacity: true)  // Ctrl-U
            case 0x08, ASCII.del:  // Backspace takes a whole character back.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            default: if line.count < limitInOctets { line.append(octet) }
            }
        }
    }

    private static func show(_ text: String, on terminal: Int32) {
        let octets = Array(text.utf8)
        _ = write(terminal, octets, octets.count)
    }
}
