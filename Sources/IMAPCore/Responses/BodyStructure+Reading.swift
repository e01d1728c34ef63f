import MartletBytes

extension BodyStructure {
    /// Parts that a structure may have. One with more is damaged as a whole.
    public static let partCountLimit = 20_000
}

/// Reads a structure with a list of the bodies that are open, instead of calls.
struct BodyStructureReader {
    /// A body that has others in it.
    private struct Open {
        var part: Int
        /// Whether it is a message, which has one body in it.
        var isMessage: Bool
        /// The number that the parts in it begin with.
        var prefix: PartNumber
        var childCount: UInt32 = 0
        /// Whether the one body of a message has been read.
        var isFull = false
    }

    private(set) var parts: [BodyStructurePart] = []
    private var open: [Open] = []

    // body = "(" (body-type-1part / body-type-mpart) ")"
    mutating func read(_ cursor: inout IMAPCursor) throws(ParseFailure) -> BodyStructure {
        parts.reserveCapacity(4)
        try begin(&cursor)
        while let last = open.indices.last {
            cursor.skipSpaces()
            if open[last].isMessage {
                if open[last].isFull {
                    try finish(&cursor)
                } else {
                    open[last].isFull = true
                    try begin(&cursor)
                }
            } else if cursor.next == UInt8(ascii: "(") {
                try begin(&cursor)
            } else {
                try finish(&cursor)
            }
        }
        return BodyStructure(parts: parts)
    }

    // MARK: Beginning

    /// Reads a part, or opens one that has others in it.
    private mutating func begin(_ cursor: inout IMAPCursor) throws(ParseFailure) {
        let start = cursor.index
        let isRoot = open.isEmpty
        guard cursor.takeIfPresent(UInt8(ascii: "(")) else { throw cursor.failure("body") }
        cursor.skipSpaces()
        if cursor.next == UInt8(ascii: ")") {
            // QUIRK(empty-body): `()`, by which some mean that there are no parts.
            guard !isRoot else { throw cursor.failure("body") }
            cursor.index += 1
            return
        }
        guard parts.count < BodyStructure.partCountLimit else {
            throw cursor.failure("fewer parts")
        }
        guard open.count < cursor.limits.nestingDepth else {
            return try skip(from: start, cursor.failure("less nesting"), &cursor)
        }
        if cursor.next == UInt8(ascii: "(") { return openMultipart() }
        do throws(ParseFailure) {
            try beginWords(&cursor)
        } catch {
            if isRoot { throw error }
            try skip(from: start, error, &cursor)
        }
    }

    /// Keeps a part that cannot be read as its octets.
    private mutating func skip(
        from start: Int, _ failure: ParseFailure, _ cursor: inout IMAPCursor
    ) throws(ParseFailure) {
        cursor.index = start
        guard let octets = cursor.anyValue() else { throw failure }
        var part = BodyStructurePart(
            number: nextNumber(), parent: open.last?.part, type: "", subtype: "")
        part.extensionOctets = Array(octets)
        part.failure = failure
        parts.append(part)
    }

    /// The number of the next part in the one that is open; that of the message itself is 1.
    private mutating func nextNumber() -> PartNumber {
        guard let last = open.indices.last else { return PartNumber([1]) }
        if open[last].isMessage { return open[last].prefix.child(1) }
        open[last].childCount &+= 1
        return open[last].prefix.child(open[last].childCount)
    }

    // body-type-mpart = 1*body SP media-subtype [SP body-ext-mpart]
    private mutating func openMultipart() {
        let isRootOfMessage = open.last?.isMessage ?? true
        let number = isRootOfMessage ? open.last?.prefix ?? .message : nextNumber()
        var part = BodyStructurePart(
            number: number, parent: open.last?.part, type: "multipart", subtype: "")
        part.isRootOfMessage = isRootOfMessage
        parts.append(part)
        open.append(Open(part: parts.count - 1, isMessage: false, prefix: number))
    }

    /// Reads a body that begins with a word: a single part, or a multipart without parts.
    private mutating func beginWords(_ cursor: inout IMAPCursor) throws(ParseFailure) {
        let start = cursor.index
        let type = try cursor.nstringInLowercase()
        cursor.skipSpaces()
        if try isMultipart(type, &cursor) {
            cursor.index = type == nil ? cursor.index : start
            return openMultipart()
        }
        let subtype = try cursor.nstringInLowercase()
        var part = BodyStructurePart(
            number: PartNumber([]), parent: open.last?.part, type: type ?? "",
            subtype: subtype ?? "")
        try cursor.singlePartFields(of: &part)
        let isMessage =
            part.type == "message" && (part.subtype == "rfc822" || part.subtype == "global")
        let hasBody = isMessage ? try cursor.messageHead(of: &part) : false
        if !hasBody { try cursor.singlePartEnd(of: &part) }
        part.number = nextNumber()
        parts.append(part)
        if hasBody {
            open.append(Open(part: parts.count - 1, isMessage: true, prefix: part.number))
        }
    }

    /// Whether what was taken for the type is the subtype of a multipart without parts.
    ///
    /// QUIRK(gmail-bare-subtype): `("MIXED" NIL NIL NIL)`. QUIRK(nil-parts): `(NIL "mixed" …)`.
    private func isMultipart(
        _ type: String?, _ cursor: inout IMAPCursor
    ) throws(ParseFailure) -> Bool {
        let start = cursor.index
        guard let type else {
            let subtype = try cursor.nstringInLowercase()
            cursor.index = start
            return subtype.map(Self.multipartSubtypes.contains) ?? false
        }
        guard !Self.isType(type), !type.hasPrefix("x-") else { return false }
        if cursor.next == UInt8(ascii: "(") || cursor.next == UInt8(ascii: ")") { return true }
        defer { cursor.index = start }
        return cursor.nilIfPresent()
    }

    /// Whether a word is a type, IANA "Media Types".
    private static func isType(_ word: String) -> Bool {
        switch word {
        case "text", "image", "application", "message", "multipart", "audio", "video", "model",
            "font",
            "example", "chemical", "haptics":
            true
        default: false
        }
    }

    private static let multipartSubtypes: Set<String> = [
        "mixed", "alternative", "related", "report", "signed", "encrypted", "digest", "parallel",
        "form-data", "appledouble", "byteranges", "header-set", "voice-message", "multilingual",
    ]

    // MARK: Ending

    /// Reads what stands behind the parts of a multipart, or the body of a message. Where that cannot be read, the part is
    /// kept with its octets.
    private mutating func finish(_ cursor: inout IMAPCursor) throws(ParseFailure) {
        let start = cursor.index
        let last = open.removeLast()
        do throws(ParseFailure) {
            if last.isMessage {
                try cursor.messageEnd(of: &parts[last.part])
            } else {
                try cursor.multipartEnd(of: &parts[last.part])
            }
        } catch {
            cursor.index = start
            guard cursor.closeParentheses() else { throw error }
            parts[last.part].failure = error
            parts[last.part].extensionOctets = Array(cursor.octets[start..<cursor.index - 1])
        }
    }
}

extension IMAPCursor {
    /// A structure, with or without what extensions add.
    mutating func bodyStructure() throws(ParseFailure) -> BodyStructure {
        var reader = BodyStructureReader()
        return try reader.read(&self)
    }
}
