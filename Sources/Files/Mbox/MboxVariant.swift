/// How an mbox keeps a line of a message that starts with `From ` from being taken for a separator.
///
/// There is no standard for it (RFC 4155 names the problem in appendix A); these four are in use. The
/// raw values are their usual names.
public enum MboxVariant: String, Hashable, Sendable, CaseIterable {
    /// `From ` becomes `>From `. What was `>From ` before cannot be told apart any more.
    case mboxo
    /// `>` is put before every line of any number of `>` and `From `: reversible. The best choice.
    case mboxrd
    /// As `mboxo`, and a Content-Length field says where the body ends.
    case mboxcl
    /// No line is changed; a Content-Length field says where the body ends.
    case mboxcl2

    /// Whether each message says its length in a Content-Length field.
    var hasContentLength: Bool { self == .mboxcl || self == .mboxcl2 }
}
