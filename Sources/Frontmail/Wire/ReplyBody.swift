import Foundation

/// Reads the JSON of an answer: RFC 8259, in UTF-8, in linear time.
///
/// A value that Swift has nothing for is left out by itself: a number that no `Double` holds, half a surrogate pair. For
/// Foundation's readers it is the end of the whole answer, or, asked for alone, tens of microseconds of guessing.
package struct ReplyBody {
    /// Arrays and objects inside of each other that are read: the reader descends, and the stack of an app's thread is small.
    package static let depthLimit = 32

    private let octets: [UInt8]
    private var place = 0

    /// The members of the object that an answer is; of equal names the last one counts.
    ///
    /// - Returns: `nil` for another value, for what is no JSON, and for what is nested too deep.
    package static func members(of data: Data) -> [String: FrontmailValue]? {
        var reader = ReplyBody(octets: [UInt8](data))
        if reader.octets.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
        guard let value = try? reader.value(depth: 0), reader.skipBlanks() == nil else {
            return nil
        }
        return value.objectValue
    }

    private init(octets: [UInt8]) { self.octets = octets }

    /// What is read is no JSON.
    private struct Malformed: Error {}

    /// The octet that comes next.
    private var next: UInt8? { place < octets.count ? octets[place] : nil }

    /// The octet that comes next behind blanks.
    private mutating func skipBlanks() -> UInt8? {
        while true {
            switch next {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            default: return next
            }
        }
    }

    private mutating func skip(_ text: StaticString) throws {
        let end = place + text.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard end <= octets.count, octets[place..<end].elementsEqual(expected) else {
            throw Malformed()
        }
        place = end
    }

    /// - Returns: `nil` for a value that Swift has nothing for.
    private mutating func value(depth: Int) throws -> FrontmailValue? {
        switch skipBlanks() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return try string().map(FrontmailValue.string)
        case UInt8(ascii: "t"):
            try skip("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try skip("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try skip("null")
            return .null
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws -> [String: FrontmailValue] {
        var members: [String: FrontmailValue] = [:]
        try list(depth: depth, end: UInt8(ascii: "}")) { reader in
            guard reader.skipBlanks() == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try reader.string()
            _ = reader.skipBlanks()
            try reader.skip(":")
            let value = try reader.value(depth: depth)
            if let name { members[name] = value }
        }
        return members
    }

    private mutating func array(depth: Int) throws -> [FrontmailValue] {
        var items: [FrontmailValue] = []
        try list(depth: depth, end: UInt8(ascii: "]")) { reader in
            if let value = try reader.value(depth: depth) { items.append(value) }
        }
        return items
    }

    /// What stands between two brackets, with commas between; the first bracket comes next.
    private mutating func list(
        depth: Int, end: UInt8, _ item: (inout ReplyBody) throws -> Void
    ) throws {
        guard depth <= ReplyBody.depthLimit else { throw Malformed() }
        place += 1
        if skipBlanks() == end {
            place += 1
            return
        }
        while true {
            try item(&self)
            let octet = skipBlanks()
            place += 1
            if octet == end { return }
            guard octet == UInt8(ascii: ",") else { throw Malformed() }
        }
    }

    // MARK: Numbers

    private mutating func number() throws -> FrontmailValue? {
        let start = place
        if next == UInt8(ascii: "-") { place += 1 }
        let whole = place
        let digitCount = try digits()
        guard digitCount == 1 || octets[whole] != UInt8(ascii: "0") else { throw Malformed() }
        if next == UInt8(ascii: ".") {
            place += 1
            _ = try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            _ = try digits()
        }
        let text = String(decoding: octets[start..<place], as: UTF8.self)
        if let number = Int(text) { return .int(number) }
        guard let number = Double(text), number.isFinite else { return nil }
        return Int(exactly: number).map(FrontmailValue.int) ?? .double(number)
    }

    /// Passes over digits, of which there has to be one.
    private mutating func digits() throws -> Int {
        let start = place
        while let octet = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) {
            place += 1
        }
        guard place > start else { throw Malformed() }
        return place - start
    }

    // MARK: Texts

    /// A text; the quotation mark comes next.
    ///
    /// - Returns: `nil` for one that is no Unicode.
    private mutating func string() throws -> String? {
        place += 1
        var text: [UInt8] = []
        var isUnicode = true
        while true {
            let start = place
            while let octet = next, octet >= 0x20, octet != UInt8(ascii: "\""),
                octet != UInt8(ascii: "\\")
            {
                place += 1
            }
            text += octets[start..<place]
            guard let octet = next, octet >= 0x20 else { throw Malformed() }
            place += 1
            guard octet == UInt8(ascii: "\\") else { break }
            if let scalar = try escaped() {
                text += Character(scalar).utf8
            } else {
                isUnicode = false
            }
        }
        return isUnicode ? String(bytes: text, encoding: .utf8) : nil
    }

    /// The character that stands behind a backslash; `nil` for half a surrogate pair.
    private mutating func escaped() throws -> Unicode.Scalar? {
        guard let octet = next else { throw Malformed() }
        place += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(octet)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Malformed()
        }
        let unit = try codeUnit()
        guard UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\") else {
            return Unicode.Scalar(unit)
        }
        let behind = place
        place += 1
        if next == UInt8(ascii: "u") {
            place += 1
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([unit, second]))
            }
        }
        place = behind
        return nil
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() throws -> UInt16 {
        let end = place + 4
        guard end <= octets.count else { throw Malformed() }
        var unit: UInt16 = 0
        for octet in octets[place..<end] {
            guard let digit = Character(Unicode.Scalar(octet)).hexDigitValue else {
                throw Malformed()
            }
            unit = unit << 4 | UInt16(digit)
        }
        place = end
        return unit
    }
}
