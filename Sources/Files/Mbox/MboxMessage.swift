public import MartletMIME

/// Where a message lies in an mbox, and what its separator line says. Ranges are octets from the start
/// of the file; none is copied.
public struct MboxMessage: Hashable, Sendable {
    /// The separator line, `From sender date`, with its line end.
    public var separatorRange: Range<Int>
    /// The message, as it stands in the file: lines may carry a `>` that `MboxReader.octets(of:)` takes
    /// away on demand. The empty line between messages is not in it.
    public var range: Range<Int>
    /// The envelope sender as written, such as `jane@example.org` or `MAILER-DAEMON`; `nil` where the line
    /// has none or says `-`. Octets that are no UTF-8 and control characters are replaced by U+FFFD.
    public var sender: String?
    /// When the message was delivered, if the line says so. Without a zone it is taken for UTC
    /// (RFC 4155), though many programs write local time.
    public var date: MailDate?

    /// Makes one, for instance of ranges that were kept.
    public init(
        separatorRange: Range<Int>, range: Range<Int>, sender: String? = nil, date: MailDate? = nil
    ) {
        self.separatorRange = separatorRange
        self.range = range
        self.sender = sender
        self.date = date
    }
}
