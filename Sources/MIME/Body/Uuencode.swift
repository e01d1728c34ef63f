import MartletBytes

/// uuencode, as a transfer encoding (`x-uuencode`, `x-uue`, `uuencode`) and in texts. POSIX.1, uuencode.
///
///     begin 644 cat.txt
///     #0V%T
///     `
///     end
///
/// The first character of a line says how many octets it has. Lines that lost blanks at their end are read as
/// if these were there; characters behind the last that counts are passed over, since some encoders add a
/// checksum.
public enum Uuencode {
    /// Decodes a body whose transfer encoding is uuencode: its first file. Text before and behind it is passed
    /// over.
    ///
    /// - Returns: the file; its octets are empty, with a defect, if the body has none. A body without a `begin`
    ///   line is read as if one stood in front of it.
    public static func decode(_ body: UnsafeRawBufferPointer) -> Parsed<EmbeddedFile> {
        var lines = TextLines(body)
        while let line = lines.next() {
            if let file = file(in: body, startingWith: line, isTransferEncoding: true) {
                return file
            }
        }
        let file = EmbeddedFile(encoding: .uuencode, rawName: [], octets: [], range: 0..<0)
        var reader = UuencodeReader(file, passesOverOtherLines: true)
        reader.read(body, from: 0)
        reader.defects.insert(Defect(.invalidUuencode, at: 0), at: 0)
        return Parsed(reader.file, defects: reader.defects)
    }

    /// Decodes a body whose transfer encoding is uuencode: its first file; see the other form.
    public static func decode(_ body: [UInt8]) -> Parsed<EmbeddedFile> {
        body.withUnsafeBytes { decode($0) }
    }

    /// The file that begins with `line`; `nil` if none does.
    static func file(
        in text: UnsafeRawBufferPointer, startingWith line: TextLines.Line,
        isTransferEncoding: Bool = false
    ) -> Parsed<EmbeddedFile>? {
        guard let file = header(text, line.content) else { return nil }
        if file.encoding == .base64 {
            let read = base64File(file, in: text, from: line.end)
            return isTransferEncoding || read?.isEnded == true ? read?.file : nil
        }
        var reader = UuencodeReader(file, passesOverOtherLines: isTransferEncoding)
        // A line of prose may begin like a file; the line behind it and the last one tell.
        if !isTransferEncoding {
            var lines = TextLines(text, from: line.end)
            guard let next = lines.next(), UuencodeReader.isPlausible(text, next.content) else {
                return nil
            }
        }
        reader.read(text, from: line.end)
        guard isTransferEncoding || reader.isEnded || reader.fullLineCount >= fullLinesWithoutEnd
        else { return nil }
        return Parsed(reader.file, defects: reader.defects)
    }

    /// So many lines of full length are a file in a text even if its `end` was cut off.
    private static let fullLinesWithoutEnd = 8

    /// `begin 644 name` or `begin-base64 644 name`.
    private static func header(
        _ text: UnsafeRawBufferPointer, _ line: Range<Int>
    ) -> EmbeddedFile? {
        let isBase64 = text.hasPrefix("begin-base64 ", in: line)
        guard isBase64 || text.hasPrefix("begin ", in: line) else { return nil }
        var index = line.lowerBound + (isBase64 ? 13 : 6)
        var mode = 0
        let digits = index
        while index < line.upperBound, index - digits < 7, text[index] & 0xF8 == ASCII.zero {
            mode = mode << 3 | Int(text[index] & 7)
            index += 1
        }
        guard index - digits >= 3, index < line.upperBound, text[index] == ASCII.space else {
            return nil
        }
        let name = text.withoutTrailingBlanks(index + 1..<line.upperBound)
        guard !name.isEmpty else { return nil }
        return EmbeddedFile(
            encoding: isBase64 ? .base64 : .uuencode, rawName: [UInt8](text[name]), mode: mode,
            octets: [], range: line.lowerBound..<line.upperBound)
    }

    /// Reads up to `====`, or where the lines are no base64 any more.
    private static func base64File(
        _ begun: EmbeddedFile, in text: UnsafeRawBufferPointer, from offset: Int
    ) -> (file: Parsed<EmbeddedFile>, isEnded: Bool)? {
        var lines = TextLines(text, from: offset)
        var isEnded = false
        var end = offset
        var next = offset
        while !isEnded, let line = lines.next(), isBase64(text, line.content) {
            isEnded = text.hasPrefix("====", in: line.content)
            end = isEnded ? line.content.lowerBound : line.end
            next = line.end
        }
        guard isEnded || end > offset else { return nil }
        var parsed = Parsed(begun)
        let report = Base64.decodeLenient(
            UnsafeRawBufferPointer(rebasing: text[offset..<end]), into: &parsed.value.octets)
        parsed.value.range = begun.range.lowerBound..<next
        if let odd = report.firstOddOffset {
            parsed.defects.append(Defect(.invalidBase64, at: offset + odd))
        }
        if !isEnded { parsed.defects.append(Defect(.invalidUuencode, at: end)) }
        return (parsed, isEnded)
    }

    private static func isBase64(_ text: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        !line.isEmpty
            && text[text.withoutTrailingBlanks(line)].allSatisfy {
                $0 == ASCII.equals || Base64.digitValues[Int($0)] < 64
            }
    }
}
