/// How octets are put in form before they are hashed, so that what mail servers change on the way does not matter.
/// RFC 6376 §3.4.
public enum Canonicalization: String, Sendable, Hashable, CaseIterable {
    /// Nearly as they stand: only empty lines at the end of a body do not count.
    case simple
    /// Runs of blanks count as one space; blanks at line ends, folding and the case of field names do not count.
    case relaxed
}

/// What a CR is that no LF follows.
enum BareCR {
    /// A line end, as it is when the message goes through SMTP, which knows only CRLF. For signing.
    case lineEnd
    /// An octet like others. For verifying what has come as it is.
    case content
}
