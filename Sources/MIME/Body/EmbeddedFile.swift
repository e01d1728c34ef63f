import MartletBytes

/// A file that stands in a text, written in printable characters or nearly so: the attachments of before MIME.
public struct EmbeddedFile: Hashable, Sendable {
    /// How a file is written.
    public enum Encoding: Hashable, Sendable {
        /// `begin 644 name`, lines of up to 45 octets, `end`. POSIX, uuencode.
        case uuencode
        /// `begin-base64 644 name`, lines of base64, `====`. POSIX, uuencode -m.
        case base64
        /// `=ybegin …`, nearly raw octets, `=yend …`. yEnc 1.3.
        case yEnc
    }

    /// The place of a part in a file that was cut into several messages.
    public struct Part: Hashable, Sendable {
        /// Which part it is, from 1.
        public var number: Int
        /// How many there are, where that is said.
        public var total: Int?
        /// Where the part's octets go in the file, from 0, where that is said.
        public var offset: Int?
    }

    /// How it was written.
    public var encoding: Encoding
    /// The name as it stands in the text, in a charset that nothing tells.
    public var rawName: [UInt8]
    /// The permissions, as POSIX writes them in octal (`0o644`); `nil` for yEnc, which has none.
    public var mode: Int?
    /// The octets of the file, or of this part of it.
    public var octets: [UInt8]
    /// The octets of the text that it took, its first and last line included.
    public var range: Range<Int>
    /// Which part of a larger file this is; `nil` for a whole one.
    public var part: Part?
    /// The size of the whole file in octets, where it is said.
    public var sizeInOctets: Int?

    /// The name as text: UTF-8 where it is that, else each octet as the character of Latin-1 that it is. Control
    /// characters are left out.
    ///
    /// It may hold anything, such as `../../x`: never take it for a path.
    public var name: String {
        let scalars =
            String(validating: rawName, as: UTF8.self).map { Array($0.unicodeScalars) }
            ?? rawName.map { Unicode.Scalar($0) }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: scalars.lazy.filter { $0.properties.generalCategory != .control })
        return String(name)
    }

    /// Finds the files in a text, in their order.
    ///
    /// A line that begins a file is taken for one only where what follows looks like a file's data, so that
    /// people may write about them. A file that is cut off has the octets up to there, and a defect.
    ///
    /// - Parameter limits: `embeddedFileCount` files are read; text behind them is passed over.
    public static func find(
        in text: UnsafeRawBufferPointer, limits: MIMELimits = .standard
    ) -> Parsed<[EmbeddedFile]> {
        var found = Parsed<[EmbeddedFile]>([])
        var lines = TextLines(text)
        while let line = lines.next() {
            guard line.content.count > 6, mayBegin(text, line.content) else { continue }
            guard found.value.count < limits.embeddedFileCount else {
                found.defects.append(
                    Defect(
                        .limitReached, at: line.content.lowerBound, limit: "embeddedFileCount"))
                break
            }
            guard
                let file = Uuencode.file(in: text, startingWith: line)
                    ?? YEnc.file(in: text, startingWith: line)
            else { continue }
            found.value.append(file.value)
            found.defects += file.defects
            lines.offset = max(line.end, file.value.range.upperBound)
        }
        return found
    }

    /// Finds the files in a text, in their order; see the other form.
    public static func find(
        in text: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<[EmbeddedFile]> {
        text.withUnsafeBytes { find(in: $0, limits: limits) }
    }

    private static func mayBegin(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        text.hasPrefix("begin", in: line) || text.hasPrefix("=ybegin ", in: line)
    }
}
