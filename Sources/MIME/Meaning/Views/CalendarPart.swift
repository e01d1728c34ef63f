import MartletBytes

/// A calendar object in a message: an invitation, an answer to one, or an event to be kept. RFC 5545, RFC 6047.
///
/// Only what kind of thing it is is looked for, near its start; the calendar itself is not read.
public struct CalendarPart: Sendable {
    /// The part.
    public let part: Part
    /// What is to be done with it, in upper case, such as `REQUEST`, `REPLY`, `CANCEL`: the parameter of the type, else the
    /// property; `nil` without both: the object is sent to be kept.
    public let method: String?
    /// What the object itself says, in upper case. RFC 6047 §2.4 wants it to be the same.
    public let methodOfObject: String?
    /// What is in it, in upper case and in order: `VEVENT`, `VTODO`, `VJOURNAL`, `VFREEBUSY` and others; each is there once,
    /// and there are 16 at most.
    /// Time zones and what lies within components are left out.
    public let components: [String]

    /// Whether the parameter and the object say different things.
    public var isContradictory: Bool { methodOfObject != nil && method != methodOfObject }
}

extension Message {
    /// The calendar objects in the message, in their order: parts of type `text/calendar`, and files that are such.
    public var calendarParts: [CalendarPart] {
        root.partsOfMessage.filter(\.isCalendar).map(CalendarPart.init)
    }

    /// The body for readers that know AMP, `text/x-amp-html` beside other alternatives; `nil` without one.
    public var ampPart: Part? { root.partsOfMessage.first(where: \.isAMP) }
}

extension Part {
    fileprivate var isCalendar: Bool {
        guard kind == .leaf else { return false }
        let type = contentType
        switch (type.type, type.subtype) {
        case ("text", "calendar"), ("application", "ics"), ("text", "x-vcalendar"): return true
        case ("application", "octet-stream"):
            return fileName?.lowercased().hasSuffix(".ics") ?? false
        default: return false
        }
    }

    /// Whether the part is an alternative for readers that know AMP.
    var isAMP: Bool {
        kind == .leaf && contentType.description == "text/x-amp-html"
            && parent?.contentType.description == "multipart/alternative"
    }

    /// The decoded octets at the start of the body, from `limit` octets as they stand.
    func decodedStart(_ limit: Int) -> (octets: [UInt8], isCut: Bool) {
        let range = kind == .leaf ? bodyRange : preambleRange
        let start = range.prefix(limit)
        let encoding = kind == .leaf ? transferEncoding : .binary
        let decoded = octets.withUnsafeBytes {
            BodyDecoding.decode(
                UnsafeRawBufferPointer(rebasing: $0[start]), encoding, limits: table.limits)
        }
        return (decoded.value, start.count < range.count)
    }
}

extension CalendarPart {
    /// Octets of the object that are looked at.
    private static let sizeLimit = 256 * 1024

    fileprivate init(_ part: Part) {
        self.part = part
        var scan = CalendarScan()
        part.decodedStart(Self.sizeLimit).octets.withUnsafeBytes { scan.takeAll($0) }
        let told = part.contentType.parameters["method"]?.trimmedOfSpace.uppercased()
        methodOfObject = scan.method?.nonEmpty
        method = told?.nonEmpty ?? methodOfObject
        var components = scan.components
        let named = part.contentType.parameters["component"]?.trimmedOfSpace.uppercased()
        if components.isEmpty, let named, !named.isEmpty { components = [named] }
        self.components = components
    }
}

/// Looks at the lines that begin and end components, and at the method, all in upper case.
struct CalendarScan {
    /// Whether the first line with something in it begins a calendar.
    private(set) var isCalendar = false
    private(set) var method: String?
    private(set) var components: [String] = []
    private var isAtStart = true
    // How many components, `VCALENDAR` aside, a line lies in.
    private var depth = 0

    /// Names are short; a folded one is nothing that any program writes.
    private static let nameLimit = 256

    mutating func takeAll(_ octets: UnsafeRawBufferPointer) {
        var lines = TextLines(octets)
        while let line = lines.next() { take(octets, line.content) }
    }

    private mutating func take(_ octets: UnsafeRawBufferPointer, _ line: Range<Int>) {
        if isAtStart, !line.isEmpty {
            isAtStart = false
            isCalendar = Self.value(octets, line, of: "begin:") == "VCALENDAR"
        }
        if depth == 0, method == nil, let value = Self.value(octets, line, of: "method:") {
            method = value
        } else if let name = Self.value(octets, line, of: "begin:"),
            name != "VCALENDAR", !name.isEmpty
        {
            if depth == 0, name != "VTIMEZONE", components.count < 16, !components.contains(name) {
                components.append(name)
            }
            depth += 1
        } else if let name = Self.value(octets, line, of: "end:"),
            name != "VCALENDAR", !name.isEmpty
        {
            depth = max(0, depth - 1)
        }
    }

    /// What stands behind `name`, given in lower case, in upper case.
    private static func value(
        _ octets: UnsafeRawBufferPointer, _ line: Range<Int>, of name: StaticString
    ) -> String? {
        let count = name.utf8CodeUnitCount
        guard line.count >= count, line.count <= nameLimit else { return nil }
        let start = octets[line].prefix(count).lazy.map(\.lowercased)
        guard name.withUTF8Buffer({ start.elementsEqual($0) }) else { return nil }
        let value = String(decoding: octets[line].dropFirst(count), as: UTF8.self)
        return value.trimmedOfSpace.uppercased()
    }
}
