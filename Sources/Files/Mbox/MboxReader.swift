public import MartletBytes

/// The messages of an mbox, one after the other, as ranges of octets.
///
///     var reader = try MboxReader(path: "archive.mbox")
///     while let message = try reader.next() {
///         let octets = try reader.octets(of: message, unescaping: true)
///     }
///
/// A file is looked at through a window of 1 MiB, however large it is; time is linear in its size. Reading
/// takes no lock: hold an `MboxLock` while other programs may write.
///
/// **Where a message begins.** A line `From sender date` behind an empty line, or at the start of the file,
/// is a separator; the date must be one, so that a sentence that begins with "From" is none. Without the
/// empty line it is one if a header field follows, since Netscape wrote none behind text that lacks its
/// last line end. A line without a date is one only in a file whose first line is of that kind, if a header
/// field follows: `From -` as Mozilla writes it, and behind an empty line `From sender`. The line end before
/// a separator belongs to the separator. Line ends are LF or CRLF, also mixed.
///
/// **Content-Length** counts only in the variants that have it, and only where a separator or the end
/// stands where it says: otherwise the message ends as if the field was not there.
public struct MboxReader: Sendable {
    /// The octets of a message that `octets(of:)` takes into memory: 1 GiB.
    public static let defaultMessageLimitInOctets = 1 << 30

    /// The size of the mbox when it was opened, in octets.
    public var sizeInOctets: Int { scanner.sizeInOctets }
    /// The variant that was given or found.
    public let variant: MboxVariant
    /// What stands before the first separator: empty in a sound mbox, everything in a file that is none.
    public let leadingRange: Range<Int>

    private var scanner: MboxScanner
    private var upcoming: MboxScanner.Separator?
    private let path: String

    /// Opens a file, without mapping it: a file that is cut meanwhile gives an error, not a crash.
    ///
    /// - Parameter variant: `nil` looks at the first messages. A file has Content-Length if each of its
    ///   first 16 messages has a right one: then it is `mboxcl2` if a line of theirs begins with `From `,
    ///   else `mboxcl`. All others count as `mboxrd`: for the lines `From ` and `>From ` it is as
    ///   `mboxo`, and only they tell these two apart.
    /// - Throws: `FileError`; pipes are refused (take in a `Spool` or `WholeFile` first).
    public init(path: String, variant: MboxVariant? = nil) throws(FileError) {
        try self.init(OctetWindow(path: path), variant: variant, path: path)
    }

    /// Reads octets in memory, such as a `MappedFile`. Messages share them.
    public init(_ octets: Octets, variant: MboxVariant? = nil) {
        do {
            try self.init(OctetWindow(octets), variant: variant, path: "")
        } catch {
            fatalError("Octets in memory can always be read: \(error)")
        }
    }

    private init(
        _ window: OctetWindow, variant: MboxVariant?, path: String
    ) throws(FileError) {
        self.path = path
        scanner = MboxScanner(window)
        upcoming = try scanner.firstSeparator()
        leadingRange = 0..<(upcoming?.range.lowerBound ?? window.sizeInOctets)
        if let variant {
            self.variant = variant
        } else if let upcoming {
            self.variant = try scanner.detectVariant(first: upcoming)
        } else {
            self.variant = .mboxrd
        }
    }

    /// The next message; `nil` at the end.
    ///
    /// - Throws: `FileError` when the file cannot be read, `.shrank` when it was cut. Never for octets in
    ///   memory.
    public mutating func next() throws(FileError) -> MboxMessage? {
        guard let separator = upcoming else { return nil }
        let found = try scanner.message(behind: separator, trustingLength: variant.hasContentLength)
        upcoming = found.next
        return MboxMessage(
            separatorRange: separator.range, range: found.range, sender: separator.sender,
            date: separator.date)
    }

    /// The octets of a message: shared where the mbox is in memory, else a copy.
    ///
    /// - Parameters:
    ///   - message: one of this mbox.
    ///   - isUnescaping: takes the `>` away that the variant put before lines. Leave it out to see
    ///     what is in the file.
    ///   - limit: the most octets it may have.
    /// - Throws: `FileError`, `.tooLarge` beyond the limit; `source(of:)` has none.
    public func octets(
        of message: MboxMessage, unescaping isUnescaping: Bool = false,
        limitInOctets limit: Int = defaultMessageLimitInOctets
    ) throws(FileError) -> Octets {
        let range = message.range.clamped(to: 0..<sizeInOctets)
        guard range.count <= limit else {
            throw FileError(kind: .tooLarge(limitInOctets: limit), operation: .read, path: path)
        }
        let octets = try scanner.window.octets(of: range)
        return isUnescaping ? variant.unescaped(octets) : octets
    }

    /// The octets of a message as they stand in the file, read in pieces when they are asked for.
    public func source(of message: MboxMessage) -> any OctetSource {
        scanner.window.octetSource(of: message.range.clamped(to: 0..<sizeInOctets))
    }
}
