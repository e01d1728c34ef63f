import MartletBytes

/// The flags that stand in the name of a message's file: letters behind `:2,`.
///
/// `A`…`Z` have a fixed meaning where they have one at all; `a`…`z` are keywords whose meaning a server
/// keeps elsewhere.
public struct MaildirFlags: OptionSet, Hashable, Sendable {
    /// A bit for each letter, from `A` on.
    public let rawValue: UInt64

    /// The flags of these bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue & Self.letters }

    /// `P`, resent or forwarded to somebody.
    public static let passed = MaildirFlags(0x50)
    /// `R`, answered.
    public static let replied = MaildirFlags(0x52)
    /// `S`, seen by a person.
    public static let seen = MaildirFlags(0x53)
    /// `T`, to be deleted.
    public static let trashed = MaildirFlags(0x54)
    /// `D`, a draft.
    public static let draft = MaildirFlags(0x44)
    /// `F`, flagged by a person.
    public static let flagged = MaildirFlags(0x46)

    /// The bits from `A` to `z` that belong to letters.
    private static let letters: UInt64 = 0x3FF_FFFF | 0x3FF_FFFF << 32

    /// The flag of a letter; no flag for anything else.
    public init(letter: Character) {
        self = letter.asciiValue.map { $0.isLetter ? MaildirFlags($0) : [] } ?? []
    }

    init(_ letter: UInt8) { self.init(rawValue: 1 << UInt64(letter - 0x41)) }

    /// The letters in the order of ASCII, as they are written.
    public var text: String {
        String(decoding: octets, as: UTF8.self)
    }

    var octets: [UInt8] {
        (0x41...0x7A as ClosedRange<UInt8>).filter { rawValue >> UInt64($0 - 0x41) & 1 == 1 }
    }
}
