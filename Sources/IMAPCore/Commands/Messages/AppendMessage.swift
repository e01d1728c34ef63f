import MartletBytes
import MartletMIME

/// A message to be put into a mailbox. RFC 9051 §6.3.12.
public struct AppendMessage: Sendable {
    /// Where its octets come from.
    public enum Content: Sendable {
        /// The message, lines ended by CR LF.
        case message(any OctetSource)
        /// The message, which may hold NUL and lines of any kind. RFC 3516 §4.4.
        case binary(any OctetSource)
        /// A message whose header is in UTF-8. RFC 6855 §4, RFC 9051 §6.3.12.
        case utf8(any OctetSource)
        /// Pieces, some of which the server has already. RFC 4469.
        case pieces([Piece])
    }

    /// A piece of a message. RFC 4469 §3.
    public enum Piece: Sendable {
        /// Octets.
        case text(any OctetSource)
        /// What a URL names, such as `/Drafts;UIDVALIDITY=385759045/;UID=30;SECTION=2`.
        case url(String)
    }

    /// Where its octets come from.
    public var content: Content
    /// The flags that it gets.
    public var flags: [MessageFlag]
    /// When it is to count as arrived; `nil`: now.
    public var date: MailDate?

    /// How many pieces a message may have.
    public static let pieceLimit = 1_000

    /// Makes one.
    public init(_ content: Content, flags: [MessageFlag] = [], date: MailDate? = nil) {
        self.content = content
        self.flags = flags
        self.date = date
    }

    /// A message from a source; see `Content.message`.
    public init(_ source: any OctetSource, flags: [MessageFlag] = [], date: MailDate? = nil) {
        self.init(.message(source), flags: flags, date: date)
    }

    /// How many octets it has at least: what URLs name is not known.
    public var knownSizeInOctets: Int {
        switch content {
        case .message(let source), .binary(let source), .utf8(let source): source.sizeInOctets
        case .pieces(let pieces):
            pieces.reduce(0) {
                if case .text(let source) = $1 { $0 + source.sizeInOctets } else { $0 }
            }
        }
    }
}

extension CommandEncoder {
    // append-message = append-opts SP append-data
    /// `(\Seen) "17-Jul-1996 02:44:25 -0700" {310}…`, without a space in front.
    ///
    /// - Parameter limit: the largest message that the mailbox takes, where that is known.
    mutating func appended(_ message: AppendMessage, atMost limit: UInt64?) throws(IMAPError) {
        let size = message.knownSizeInOctets
        let limit = [limit, capabilities.appendLimitInOctets].compactMap { $0 }.min()
        if let limit, size > limit {
            throw .invalidInput(
                "the message has \(size) octets, and the mailbox takes up to \(limit)")
        }
        if !message.flags.isEmpty {
            try list(message.flags) { encoder, flag throws(IMAPError) in
                try encoder.checkedFlag(flag)
            }
            space()
        }
        if let date = message.date {
            string(date.internalDateText.utf8)
            space()
        }
        // Where no limit is known, the server may find a large one too large: RFC 7888 §4.
        try content(message.content, mayBeRefused: limit == nil)
    }

    private mutating func content(
        _ content: AppendMessage.Content, mayBeRefused: Bool
    ) throws(IMAPError) {
        switch content {
        case .message(let source):
            try checkSize(of: source)
            literal(source, mayBeRefused: mayBeRefused)
        case .binary(let source):
            try require(.binary)
            try checkSize(of: source)
            literal(source, isBinary: true, mayBeRefused: mayBeRefused)
        case .utf8(let source):
            try checkSize(of: source)
            if enabled.contains(.utf8Accept) {
                text("UTF8 (")
                literal(source, isBinary: true, mayBeRefused: mayBeRefused)
                text(")")
            } else if enabled.contains(.imap4rev2) {
                literal(source, mayBeRefused: mayBeRefused)
            } else if capabilities.has(.utf8Accept) {
                throw IMAPError(kind: .outOfOrder("UTF8=ACCEPT has to be enabled first"))
            } else {
                throw IMAPError(kind: .unsupported(.utf8Accept))
            }
        case .pieces(let pieces): try catenate(pieces, mayBeRefused: mayBeRefused)
        }
    }

    // A literal without octets calls APPEND off: RFC 3502 §6.3.11.
    private func checkSize(of source: any OctetSource) throws(IMAPError) {
        guard source.sizeInOctets > 0 else { throw .invalidInput("the message is empty") }
    }

    private mutating func catenate(
        _ pieces: [AppendMessage.Piece], mayBeRefused: Bool
    ) throws(IMAPError) {
        try require(.catenate)
        guard !pieces.isEmpty, pieces.count <= AppendMessage.pieceLimit else {
            throw .invalidInput("a message has 1 to \(AppendMessage.pieceLimit) pieces")
        }
        text("CATENATE ")
        try list(pieces) { encoder, piece throws(IMAPError) in
            switch piece {
            case .text(let source):
                encoder.text("TEXT ")
                encoder.literal(source, mayBeRefused: mayBeRefused)
            case .url(let url):
                encoder.text("URL ")
                try encoder.checkedURL(url)
            }
        }
    }
}
