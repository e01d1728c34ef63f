import MartletBytes

/// The name of a subfolder in the layout of Maildir++: `.Lists.Swift` is the folder `Swift` in `Lists`.
///
/// Names are kept as they are in the file system. Servers write them in the modified UTF-7 of IMAP
/// (RFC 3501 §5.1.3) or in UTF-8.
public struct MaildirFolderName: Hashable, Sendable {
    /// The name as it is in the file system, with its dots.
    public let octets: [UInt8]

    /// Takes the name of a folder, such as `.Lists.Swift`.
    ///
    /// - Returns: `nil` for what is none: without a dot at its start, with an empty part, a `/` or a NUL,
    ///   or longer than 255 octets.
    public init?(_ octets: [UInt8]) {
        guard 2...255 ~= octets.count, octets[0] == ASCII.dot, octets.last != ASCII.dot,
            !octets.contains(where: { $0 == 0x2F || $0 == ASCII.nul }),
            !zip(octets, octets.dropFirst()).contains(where: { $0 == ASCII.dot && $1 == ASCII.dot })
        else { return nil }
        self.octets = octets
    }

    /// Makes the name of its parts, the outermost first. They must be encoded already.
    ///
    /// - Returns: `nil` if one is empty or holds a dot, a `/` or a NUL, or if it gets too long.
    public init?(components: [String]) {
        guard !components.contains(where: { $0.utf8.contains(ASCII.dot) }) else { return nil }
        self.init(components.flatMap { [ASCII.dot] + Array($0.utf8) })
    }

    /// The parts, the outermost first; octets that are no UTF-8 are replaced.
    public var components: [String] {
        octets.split(separator: ASCII.dot).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The name for a person.
    public var text: String { String(decoding: octets, as: UTF8.self) }
}
