import MartletBytes

/// A file name that is safe to be written to a disk, made of one that a stranger chose.
///
///     SafeFileName("../../etc/passwd").text                   // passwd
///     SafeFileName("con.txt").text                            // _con.txt
///     SafeFileName("bill\u{202E}fdp.exe").text                // billfdp.exe
///     SafeFileName(nil, typeName: "image/png").text           // attachment.png
///
/// It has no path, no control, invisible or direction-changing characters, no dots or blanks at its start, no dots or
/// blanks at its end, none of the characters and device names that Windows refuses, and no more octets than the limit. It is never
/// empty. It says nothing about whether the file is safe to be opened.
public struct SafeFileName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// Makes a safe name.
    ///
    /// - Parameters:
    ///   - name: the name as it came; all but what is behind its last `/` or `\` is left out.
    ///   - typeName: the media type in lower case, whose extension is added if the name has none; `nil` adds none.
    ///   - fallback: what the file is called if nothing is left of `name`.
    ///   - sizeLimitInOctets: how long the name may be in UTF-8, at least 32; its extension is kept.
    public init(
        _ name: String?, typeName: String? = nil, fallback: String = "attachment",
        sizeLimitInOctets: Int = MIMELimits.standard.fileNameSizeInOctets
    ) {
        let limit = max(Self.smallestLimit, sizeLimitInOctets)
        // Of what is left out there may be a lot, but not without end.
        let (product, isTooLarge) = limit.multipliedReportingOverflow(by: 8)
        let scalarLimit = isTooLarge ? Int.max : product
        var text = Self.cleaned(name ?? "", scalarLimit: scalarLimit)
        // What it is called for want of a name is no file name: dots in it begin no extension.
        let isTitle = text.isEmpty
        if isTitle { text = Self.cleaned(fallback, scalarLimit: scalarLimit) }
        if text.isEmpty { text = "attachment" }
        var (stem, ending) = Self.split(text)
        if ending.isEmpty || isTitle, let known = typeName.flatMap(FileExtension.forType) {
            stem = text
            ending = "." + known
        }
        let room = limit - ending.utf8.count
        stem = Self.cut(stem, to: room)
        if Self.isDeviceName(stem) { stem = Self.cut("_" + stem, to: room) }
        self.text = stem + ending
    }

    /// What a message is called as a file: its subject, in which a slash separates no folders.
    static func title(of subject: String) -> String {
        guard subject.utf8.contains(where: { !$0.isBlank }) else { return "message" }
        return String(
            decoding: subject.utf8.map {
                $0 == UInt8(ascii: "/") || $0 == ASCII.backslash ? ASCII.underscore : $0
            }, as: UTF8.self)
    }

    /// The name in two, so that a number fits between: `a` and `.txt` for `a (2).txt`.
    func cutForNumber(sizeLimitInOctets: Int) -> (stem: String, ending: String) {
        let (stem, ending) = Self.split(text)
        let room = max(Self.smallestLimit, sizeLimitInOctets) - ending.utf8.count
        return (Self.cut(stem, to: room - Self.numberSize), ending)
    }

    /// Room for an extension, a number and a few characters.
    private static let smallestLimit = 32
    /// Octets of ` (99999999)`; nothing holds as many files.
    private static let numberSize = 11

    // MARK: Characters

    /// What is behind the last separator that has a name behind it, without what must not be in it.
    private static func cleaned(_ name: String, scalarLimit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var isBehindSpace = true
        for scalar in lastComponent(of: name) {
            guard count < scalarLimit else { break }
            count += 1
            if scalar.properties.isWhitespace {
                if !isBehindSpace { scalars.append(" ") }
                isBehindSpace = true
                continue
            }
            guard let kept = replacement(for: scalar) else { continue }
            scalars.append(kept)
            isBehindSpace = false
        }
        func trimEnd() {
            while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        }
        trimEnd()
        let start = scalars.firstIndex { $0 != "." && $0 != " " } ?? scalars.endIndex
        scalars.removeSubrange(..<start)
        // A command would take these for an option and for a home folder.
        if let first = scalars.first, first == "-" || first == "~" {
            scalars.replaceSubrange(...scalars.startIndex, with: ["_"])
        }
        return String(scalars)
    }

    private static func lastComponent(of name: String) -> Substring.UnicodeScalarView {
        var rest = name.unicodeScalars[...]
        while true {
            guard let separator = rest.lastIndex(where: { $0 == "/" || $0 == "\\" }) else {
                return rest
            }
            let component = rest[rest.index(after: separator)...]
            if component.contains(where: { $0 != "." && !$0.properties.isWhitespace }) {
                return component
            }
            rest = rest[..<separator]
        }
    }

    /// `nil` for what is left out.
    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "<", ">", ":", "\"", "|", "?", "*", "/", "\\": return "_"
        // Joiners, which emoji and Persian need.
        case "\u{200C}", "\u{200D}": return scalar
        case "\u{FFFD}": return "_"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
            .privateUse:
            return nil
        default: return scalar
        }
    }

    // MARK: Stem and extension

    /// The longest extension in octets, with its dot.
    private static let extensionLimit = 12

    /// The name, and its extension with the dot: letters and digits, not digits alone; empty if it has none.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        let octets = name.utf8
        guard let dot = octets.lastIndex(of: ASCII.dot), dot > octets.startIndex else {
            return (name, "")
        }
        let ending = octets[octets.index(after: dot)...]
        let isExtension =
            !ending.isEmpty && ending.count < extensionLimit
            && ending.allSatisfy { $0.isLetter || $0.isDigit || $0 == ASCII.underscore }
            && !ending.allSatisfy(\.isDigit)
        return isExtension ? (String(name[..<dot]), String(name[dot...])) : (name, "")
    }

    /// At most `limit` octets from the start, whole characters, no dot or space at the end.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var size = 0
        var end = text.startIndex
        let scalars = text.unicodeScalars
        while end < scalars.endIndex {
            size += UTF8.width(scalars[end])
            if size > max(1, limit) { break }
            end = scalars.index(after: end)
        }
        // Marks and joined parts go with the character they belong to; one that is longer than this is cut.
        var start = end
        for _ in 0..<16 where start > scalars.startIndex {
            if !isContinuation(scalars, start) { break }
            start = scalars.index(before: start)
        }
        if isContinuation(scalars, start) { start = end }
        var cut = text[..<start]
        while let last = cut.unicodeScalars.last, last == "." || last == " " || last == "\u{200D}" {
            cut.unicodeScalars.removeLast()
        }
        return cut.isEmpty ? "_" : String(cut)
    }

    private static func isContinuation(
        _ scalars: String.UnicodeScalarView, _ index: String.Index
    ) -> Bool {
        guard index < scalars.endIndex, index > scalars.startIndex else { return false }
        let scalar = scalars[index]
        return scalar == "\u{200D}" || scalar.properties.isGraphemeExtend
            || scalar.properties.isEmojiModifier
            || scalars[scalars.index(before: index)] == "\u{200D}"
    }

    // MARK: Windows

    /// Names of devices, also with an extension behind them: `CON`, `nul.tar.gz`, `COM1`.
    private static func isDeviceName(_ stem: String) -> Bool {
        var base = stem.unicodeScalars.prefix { $0 != "." }
        while base.last == " " { base.removeLast() }
        let name = String(base).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(name) {
            return true
        }
        guard name.hasPrefix("COM") || name.hasPrefix("LPT") else { return false }
        let rest = name.unicodeScalars.dropFirst(3)
        return rest.count == 1
            && rest.allSatisfy { "0123456789\u{B9}\u{B2}\u{B3}".unicodeScalars.contains($0) }
    }
}

extension SafeFileName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}

/// Makes names different within a folder, also for file systems that do not tell case apart.
struct UniqueFileNames {
    let sizeLimitInOctets: Int
    private var taken: Set<String> = []
    // The number to try next for a name as it is cut for it, so that many equal ones take linear time.
    private var next: [String: Int] = [:]

    init(sizeLimitInOctets: Int) { self.sizeLimitInOctets = sizeLimitInOctets }

    /// `name`, with a number behind it if it was given before.
    mutating func name(_ name: SafeFileName) -> String {
        if taken.insert(name.text.lowercased()).inserted { return name.text }
        let (stem, ending) = name.cutForNumber(sizeLimitInOctets: sizeLimitInOctets)
        let key = (stem + ending).lowercased()
        var number = next[key] ?? 2
        while true {
            let candidate = "\(stem) (\(number))\(ending)"
            number += 1
            if taken.insert(candidate.lowercased()).inserted {
                next[key] = number
                return candidate
            }
        }
    }
}
