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
        var scan = CalendarScan()
        let canonical = text.withLineFeeds
        canonical.utf8.withUnsafeOctets { scan.takeAll($0) }
        guard scan.isCalendar else {
            throw CompositionError(.invalid, field: "Calendar", value: text)
        }
        if let method = scan.method {
            _ = try fieldToken(method, field: "The method of a calendar")
        }
        self.text = text
        method = scan.method
        self.fileName = fileName
    }
}
