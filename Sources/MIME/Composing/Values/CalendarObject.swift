import MartletBytes

/// A calendar object in a message: an invitation, an answer, a cancellation. iTIP over mail, RFC 6047.
///
/// It is the last of the alternatives, `text/calendar; method=REQUEST; charset=utf-8`, so that programs
/// that know it show it, and others the text.
public struct CalendarObject: Hashable, Sendable {
    /// The iCalendar object, RFC 5545; line ends may be any.
    public let text: String
    /// What is to be done, in upper case, such as `REQUEST`: the object's own `METHOD`, which the part has to
    /// repeat (RFC 6047 §2.4). `nil` without one.
    public let method: String?
    /// The object goes as a file of this name too, for programs that look for files only; `nil` for no file.
    public var fileName: String?

    /// Makes a part of an iCalendar object.
    ///
    /// - Parameters:
    ///   - text: `BEGIN:VCALENDAR` and so on.
    ///   - fileName: such as `invite.ics`, if the object shall also be attached.
    /// - Throws: `CompositionError`, to be mended by the caller, when it does not start with
    ///   `BEGIN:VCALENDAR`, or its method is no token.
    public init(_ text: String, fileName: String? = nil) throws(CompositionError) {
        var lines = text.utf8.split { $0 == ASCII.cr || $0 == ASCII.lf }.makeIterator()
        guard let first = lines.next(), Self.is(first, "begin:vcalendar") else {
            throw CompositionError(.invalid, field: "Calendar", value: text)
        }
        var method: String?
        while let line = lines.next() {
            // Properties come before components. RFC 5545 §3.6.
            if Self.hasPrefix(line, "begin:") { break }
            guard Self.hasPrefix(line, "method:") else { continue }
            let value = String(decoding: line.dropFirst("method:".utf8.count), as: UTF8.self)
            method = try fieldToken(value, field: "The method of a calendar").uppercased()
            break
        }
        self.text = text
        self.method = method
        self.fileName = fileName
    }

    private static func hasPrefix(_ line: Substring.UTF8View, _ prefix: String) -> Bool {
        line.prefix(prefix.utf8.count).lazy.map(\.lowercased).elementsEqual(prefix.utf8)
    }

    private static func `is`(_ line: Substring.UTF8View, _ text: String) -> Bool {
        line.prefix { !$0.isBlank }.lazy.map(\.lowercased).elementsEqual(text.utf8)
    }
}
