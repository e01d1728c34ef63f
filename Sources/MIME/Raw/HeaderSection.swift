import MartletBytes

/// Where the fields of a header section stand. RFC 5322 §2.1, §2.2.
///
/// CRLF, a bare LF and a bare CR all end a line here, since all of them become CRLF on their way: a
/// field hidden behind a bare CR would else come to light at the recipient.
struct HeaderSection {
    struct Field {
        /// The name in lower case, without the blanks that old programs put before the colon.
        var name: [UInt8]
        /// The whole field, continuation lines and last line end included.
        var range: Range<Int>
        /// The value, folded as it stands.
        var value: Range<Int>
    }

    private(set) var fields: [Field] = []

    /// The end of the header section in `octets`: behind its empty line. `nil` if there is none yet.
    static func end(in octets: ArraySlice<UInt8>, isComplete: Bool) -> Int? {
        octets.withUnsafeBufferPointer { buffer -> Int? in
            var lineStart = 0
            while let next = nextLine(in: buffer, from: lineStart, isComplete: isComplete) {
                if next.contentEnd == lineStart, next.start > lineStart {
                    return octets.startIndex + next.start
                }
                lineStart = next.start
                if lineStart == buffer.count { break }
            }
            return isComplete ? octets.endIndex : nil
        }
    }

    /// The octets of the line that an mbox has before a message (`From `, RFC 4155), at the start of `octets`. It is no
    /// part of the message: servers and readers take it for the end of the header, or for a line of the body.
    static func separatorSize(in octets: [UInt8]) -> Int {
        // RFC 5322 §4.5 has blanks before the colon of a field.
        guard octets.starts(with: "From ".utf8),
            octets.dropFirst(5).first(where: { !$0.isBlank }) != UInt8(ascii: ":")
        else { return 0 }
        return octets.withUnsafeBufferPointer {
            nextLine(in: $0, from: 0, isComplete: true)?.start ?? 0
        }
    }

    /// Finds the fields of a whole header section. Lines that are no fields belong to none.
    init(of octets: ArraySlice<UInt8>) {
        var lineStart = 0
        var continued = false
        octets.withUnsafeBufferPointer { buffer in
            while lineStart < buffer.count,
                let next = Self.nextLine(in: buffer, from: lineStart, isComplete: true)
            {
                if buffer[lineStart].isBlank {
                    if continued {
                        fields[fields.count - 1].range =
                            fields[fields.count - 1].range.lowerBound..<next.start
                        fields[fields.count - 1].value =
                            fields[fields.count - 1].value.lowerBound..<next.contentEnd
                    }
                } else if let colon = buffer[lineStart..<next.contentEnd]
                    .firstIndex(of: UInt8(ascii: ":"))
                {
                    var nameEnd = colon
                    while nameEnd > lineStart, buffer[nameEnd - 1].isBlank { nameEnd -= 1 }
                    fields.append(
                        Field(
                            name: buffer[lineStart..<nameEnd].map(\.lowercased),
                            range: lineStart..<next.start, value: (colon + 1)..<next.contentEnd))
                    continued = true
                } else {
                    continued = false
                }
                lineStart = next.start
            }
        }
    }

    /// The line that starts at `start`: where its content ends and where the next line starts.
    /// `nil` when its end cannot be told before more octets come.
    private static func nextLine(
        in octets: UnsafeBufferPointer<UInt8>, from start: Int, isComplete: Bool
    ) -> (contentEnd: Int, start: Int)? {
        var index = start
        while index < octets.count, octets[index] != ASCII.cr, octets[index] != ASCII.lf {
            index += 1
        }
        guard index < octets.count else { return isComplete ? (index, index) : nil }
        guard octets[index] == ASCII.cr else { return (index, index + 1) }
        guard index + 1 < octets.count else { return isComplete ? (index, index + 1) : nil }
        return (index, octets[index + 1] == ASCII.lf ? index + 2 : index + 1)
    }
}
