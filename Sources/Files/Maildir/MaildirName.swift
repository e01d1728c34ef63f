import MartletBytes

/// The name of a message's file in a Maildir: a part that never changes, and the flags behind it.
///
///     1276533073.M242911P3632.host.example,S=1034:2,FS
///
/// It can never lead out of its folder: it has no `/` and does not start with a dot. Where file systems
/// allow no `:`, programs write `;2,` or `!2,`; both are read and kept.
public struct MaildirName: Hashable, Sendable {
    /// The name as it is in the folder. It need not be UTF-8.
    public let octets: [UInt8]
    /// Where the flags' separator is; the end without one.
    private let infoStart: Int
    /// Where the flags start; `nil` without any, also where another kind of information stands there.
    private let flagStart: Int?

    /// Takes a file's name.
    ///
    /// - Returns: `nil` for what is no name of a message: empty, longer than 255 octets, with a `/` or
    ///   NUL in it or a dot at its start.
    public init?(_ octets: [UInt8]) {
        guard 1...255 ~= octets.count, octets[0] != ASCII.dot,
            !octets.contains(where: { $0 == 0x2F || $0 == ASCII.nul })
        else { return nil }
        self.octets = octets
        // `;` and `!` may be in the first part too, so that only the last one with its `2,` counts.
        let place = octets.indices.last { index in
            [0x3A, 0x3B, 0x21].contains(octets[index])
                && octets[(index + 1)...].starts(with: [0x32, 0x2C])
        }
        flagStart = place.map { $0 + 3 }
        infoStart = place ?? octets.firstIndex(of: 0x3A) ?? octets.count
    }

    /// Takes a file's name.
    public init?(_ text: String) { self.init(Array(text.utf8)) }

    /// What never changes, whatever becomes of the flags: with it a message is found again.
    public var unique: ArraySlice<UInt8> { octets[..<infoStart] }

    /// The flags. Letters are taken in any order.
    public var flags: MaildirFlags {
        guard let flagStart else { return [] }
        return octets[flagStart...].reduce(into: MaildirFlags()) { flags, octet in
            if octet.isLetter { flags.insert(MaildirFlags(octet)) }
        }
    }

    /// The size of the file in octets, where the name says it (`,S=`). A hint: nothing but the file itself
    /// makes sure.
    public var sizeInOctets: Int? { number(of: 0x53) }

    /// The size with CRLF line ends, where the name says it (`,W=`). A hint.
    public var sizeWithCRLFInOctets: Int? { number(of: 0x57) }

    private func number(of letter: UInt8) -> Int? {
        for part in unique.split(separator: 0x2C).dropFirst()
        where part.starts(with: [letter, ASCII.equals]) {
            let digits = part.dropFirst(2)
            guard 1...18 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
        }
        return nil
    }

    /// The same name with other flags. What else stands behind the separator is kept.
    func with(_ flags: MaildirFlags) -> [UInt8] {
        guard let flagStart else { return unique + Array(":2,".utf8) + flags.octets }
        return octets[..<flagStart] + flags.octets + octets[flagStart...].filter { !$0.isLetter }
    }

    /// The name for a person; octets that are no UTF-8 are replaced.
    public var text: String { String(decoding: octets, as: UTF8.self) }
}
