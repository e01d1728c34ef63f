import MartletBytes

/// Text of `text/plain; format=flowed`: paragraphs that fit any width, with their depth of quotation. RFC 3676.
///
/// A line that ends with a space goes on in the next one; `>` in front of a line quotes it.
public struct FlowedText: Hashable, Sendable {
    /// A paragraph, or a line that stands alone.
    public struct Paragraph: Hashable, Sendable {
        /// How often it is quoted: 0 for the sender's own words.
        public var quoteDepth: Int
        /// The text, without line ends. Without spaces at its end too, except for the signature separator.
        public var text: String

        /// Makes a paragraph.
        public init(_ text: String, quoteDepth: Int = 0) {
            self.text = text
            self.quoteDepth = quoteDepth
        }

        /// Whether this is the line `-- `, behind which the signature stands. RFC 3676 §4.3.
        public var isSignatureSeparator: Bool { text == FlowedText.signatureSeparator }
    }

    /// The line in front of a signature.
    public static let signatureSeparator = "-- "

    /// The paragraphs.
    public var paragraphs: [Paragraph]

    /// Makes a text of paragraphs.
    public init(_ paragraphs: [Paragraph]) { self.paragraphs = paragraphs }

    /// Each paragraph in a line, quoted ones behind as many `>` as they are deep and a space: text as people
    /// see it where lines are wrapped for them. Lines end with LF.
    public var plainText: String {
        var text = ""
        for paragraph in paragraphs {
            if paragraph.quoteDepth > 0 {
                text.append(contentsOf: repeatElement(">", count: paragraph.quoteDepth))
                if !paragraph.text.isEmpty { text += " " }
            }
            text += paragraph.text
            text += "\n"
        }
        return text
    }
}
