import MartletBytes

/// yEnc 1.3: files as nearly raw octets, each plus 42, in lines; in texts and as a transfer encoding
/// (`x-yencode`).
///
///     =ybegin part=2 total=2 line=128 size=19338 name=cat.jpg
///     =ypart begin=11251 end=19338
///     …
///     =yend size=8088 part=2 pcrc32=aca76043
///
/// What the lines say is checked: sizes (`Defect.Kind.invalidYEnc`) and checksums (`.wrongChecksum`).
public enum YEnc {
    /// Decodes a body whose transfer encoding is yEnc: its first file. Text before and behind it is passed over.
    ///
    /// - Returns: the file; its octets are empty, with a defect, if the body has none.
    public static func decode(_ body: UnsafeRawBufferPointer) -> Parsed<EmbeddedFile> {
        var lines = TextLines(body)
        while let line = lines.next() {
            if let file = file(in: body, startingWith: line, isTransferEncoding: true) {
                return file
            }
        }
        let file = EmbeddedFile(encoding: .yEnc, rawName: [], octets: [], range: 0..<0)
        return Parsed(file, defects: [Defect(.invalidYEnc, at: 0)])
    }

    /// Decodes a body whose transfer encoding is yEnc: its first file; see the other form.
    public static func decode(_ body: [UInt8]) -> Parsed<EmbeddedFile> {
        body.withUnsafeBytes { decode($0) }
    }

    /// The file that begins with `line`; `nil` if none does. Within a text it must have its `=yend` or as much data as it
    /// says, since people write about yEnc too.
    static func file(
        in text: UnsafeRawBufferPointer, startingWith line: TextLines.Line,
        isTransferEncoding: Bool = false
    ) -> Parsed<EmbeddedFile>? {
        guard let begin = YEncLine(text, line.content, keyword: "=ybegin "),
            let size = begin.number("size"), let name = begin.name
        else { return nil }
        var lines = TextLines(text, from: line.end)
        var partEnd: Int?
        var file = EmbeddedFile(
            encoding: .yEnc, rawName: name, octets: [],
            range: line.content.lowerBound..<line.end, sizeInOctets: size)
        if let number = begin.number("part") {
            file.part = .init(number: number, total: begin.number("total"))
            let start = lines
            if let second = lines.next(),
                let part = YEncLine(text, second.content, keyword: "=ypart ")
            {
                // From 1, the last one included.
                file.part?.offset = part.number("begin").flatMap { $0 > 0 ? $0 - 1 : nil }
                partEnd = part.number("end")
            } else {
                lines = start
            }
        }
        return read(file, partEnd: partEnd, text, lines, isTransferEncoding)
    }

    /// Reads the lines of data, and checks what `=yend` says.
    private static func read(
        _ begun: EmbeddedFile, partEnd: Int?, _ text: UnsafeRawBufferPointer, _ start: TextLines,
        _ isTransferEncoding: Bool
    ) -> Parsed<EmbeddedFile>? {
        var lines = start
        var end: YEncLine?
        var dataEnd = text.count
        while end == nil, let line = lines.next() {
            guard text.hasPrefix("=y", in: line.content) else { continue }
            end = YEncLine(text, line.content, keyword: "=yend")
            guard end != nil || text.hasPrefix("=ybegin ", in: line.content) else { continue }
            dataEnd = line.content.lowerBound
            if end == nil { break }
        }
        if end == nil, !isTransferEncoding {
            var size = begun.part == nil ? begun.sizeInOctets : nil
            if let offset = begun.part?.offset, let partEnd { size = partEnd - offset }
            guard let size, let found = endOfData(size, in: text, start, upTo: dataEnd) else {
                return nil
            }
            dataEnd = found
        }
        var parsed = Parsed(begun)
        parsed.value.octets = octets(
            of: UnsafeRawBufferPointer(rebasing: text[start.offset..<dataEnd]))
        parsed.value.range = begun.range.lowerBound..<(end == nil ? dataEnd : lines.offset)
        if let end {
            check(&parsed, partEnd: partEnd, against: end, at: dataEnd)
        } else {
            parsed.defects.append(Defect(.invalidYEnc, at: dataEnd))
        }
        return parsed
    }

    /// The end of the line with which there are `size` octets of data; `nil` if there are fewer.
    private static func endOfData(
        _ size: Int, in text: UnsafeRawBufferPointer, _ start: TextLines, upTo end: Int
    ) -> Int? {
        var lines = start
        var count = 0
        while count < size, lines.offset < end, let line = lines.next() {
            let data = UnsafeRawBufferPointer(rebasing: text[line.content])
            count += octets(of: data).count
        }
        return count >= size && size > 0 ? lines.offset : nil
    }

    /// The octets of lines: each less 42, and 64 more behind the escape `=`.
    private static func octets(of lines: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: lines.count) { octets, count in
            var index = 0
            // In bounds: a turn reads at least as many octets as it writes.
            while index < lines.count {
                var octet = lines[index]
                index += 1
                if octet == ASCII.cr || octet == ASCII.lf { continue }
                if octet == ASCII.equals {
                    // An escape that is cut off by the end of its line gives nothing.
                    guard index < lines.count, lines[index] != ASCII.cr, lines[index] != ASCII.lf
                    else { continue }
                    octet = lines[index] &- 64
                    index += 1
                }
                octets[count] = octet &- 42
                count += 1
            }
        }
    }

    private static func check(
        _ parsed: inout Parsed<EmbeddedFile>, partEnd: Int?, against end: YEncLine, at offset: Int
    ) {
        let file = parsed.value
        var expectedSizes = [end.number("size")]
        if file.part == nil {
            expectedSizes.append(file.sizeInOctets)
        } else if let partOffset = file.part?.offset, let partEnd {
            expectedSizes.append(partEnd - partOffset)
        }
        if !expectedSizes.allSatisfy({ $0 == nil || $0 == file.octets.count }) {
            parsed.defects.append(Defect(.invalidYEnc, at: offset))
        }
        // Of a part only `pcrc32` is its own; `crc32` is the whole file's.
        guard let expected = end.checksum(file.part == nil ? ["crc32", "pcrc32"] : ["pcrc32"])
        else { return }
        var checksum = CRC32()
        checksum.update(with: file.octets)
        if checksum.value != expected {
            parsed.defects.append(Defect(.wrongChecksum, at: offset))
        }
    }
}
