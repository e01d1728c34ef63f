import MartletBytes
import MartletText

/// Text in TNEF: in the code page of the message, or in UTF-16.
enum TNEFText {
    /// The text up to its NUL.
    static func string(
        _ octets: UnsafeRawBufferPointer, _ range: Range<Int>, isUnicode: Bool, charset: Charset?
    ) -> String {
        var end = range.upperBound
        if isUnicode {
            var index = range.lowerBound
            while index + 1 < range.upperBound, octets[index] != 0 || octets[index + 1] != 0 {
                index += 2
            }
            end = index
        } else if let nul = octets.firstOffset(of: 0, in: range) {
            end = nul
        }
        let text = UnsafeRawBufferPointer(rebasing: octets[range.lowerBound..<end])
        if isUnicode { return utf16LittleEndian.decode(text).text }
        return (charset?.decode(text) ?? Charset.decodeUnlabelled(text)).text
    }

    /// One line of such text; `nil` if it is empty.
    static func line(
        _ octets: UnsafeRawBufferPointer, _ range: Range<Int>, isUnicode: Bool, charset: Charset?
    ) -> String? {
        let text = string(octets, range, isUnicode: isUnicode, charset: charset)
        let line = withoutControlCharacters(text, replacement: " ").trimmedOfSpace
        return line.isEmpty ? nil : line
    }

    private static let utf16LittleEndian = Charset(label: "utf-16le") ?? .utf16

    /// The charset of a Windows code page; `nil` for none, or one that is not known.
    static func charset(ofCodePage number: UInt32) -> Charset? {
        let label: String
        switch number {
        case 0: return nil
        case 874, 1_250...1_258: label = "windows-\(number)"
        case 932: label = "shift_jis"
        case 936, 51_936, 20_936: label = "gbk"
        case 949, 51_949: label = "euc-kr"
        case 950: label = "big5"
        case 1_200: label = "utf-16le"
        case 1_201: label = "utf-16be"
        case 10_000: label = "macintosh"
        case 20_127: label = "us-ascii"
        case 20_866: label = "koi8-r"
        case 21_866: label = "koi8-u"
        case 28_591...28_606: label = "iso-8859-\(number - 28_590)"
        case 38_598: label = "iso-8859-8-i"
        case 50_220...50_222: label = "iso-2022-jp"
        case 50_225: label = "iso-2022-kr"
        case 51_932: label = "euc-jp"
        case 52_936: label = "hz-gb-2312"
        case 54_936: label = "gb18030"
        case 65_000: label = "utf-7"
        case 65_001: label = "utf-8"
        default: label = "cp\(number)"
        }
        return Charset(label: label)
    }
}
