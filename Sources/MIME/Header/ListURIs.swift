import MartletBytes

/// The value of a `List-Unsubscribe`, `List-Subscribe`, `List-Post`, `List-Help`, `List-Owner` or `List-Archive` field:
/// URIs, the preferred one first. RFC 2369.
public struct ListURIs: Hashable, Sendable {
    /// A way to do what the field is for.
    public struct Entry: Hashable, Sendable {
        /// The URI without white space. Anything may stand in it: it is not checked.
        public var uri: String
        /// What is said of it in a comment, decoded.
        public var comment: String?

        /// A way with its comment.
        public init(uri: String, comment: String? = nil) {
            self.uri = uri
            self.comment = comment
        }

        /// What stands before the first colon, in lower case: `https`, `mailto`. Empty without a colon.
        public var scheme: String {
            let octets = uri.utf8
            guard let colon = octets.firstIndex(of: UInt8(ascii: ":")) else { return "" }
            return String(decoding: octets[..<colon].map(\.lowercased), as: UTF8.self)
        }
    }

    /// The ways in their order.
    public var entries: [Entry]
    /// `List-Post: NO`: nobody may post. RFC 2369 §3.4.
    public var isForbidden: Bool

    /// A list of ways.
    public init(entries: [Entry] = [], isForbidden: Bool = false) {
        self.entries = entries
        self.isForbidden = isForbidden
    }

    /// Reads the value of a field, which may be folded. Never fails; takes time linear in its length.
    ///
    /// URIs without `< >` are taken too, with `invalidValue`; white space inside is dropped, as RFC 2369 §2 says.
    /// - Parameter limits: `valueSizeInOctets`, and `parameterCount` for the number of URIs; what is beyond is not in
    ///   the list.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<ListURIs> {
        octets.readField(within: limits) { octets in
            var reader = ListURIReader(octets: octets, limits: limits)
            reader.read()
            return Parsed(reader.list, defects: reader.defects)
        }
    }
}

/// Reads `<URI> (comment), …`, RFC 2369 §2.
private struct ListURIReader {
    let octets: FieldOctets
    let limits: MIMELimits
    var list = ListURIs()
    var defects: [Defect] = []

    private var index = 0
    private var uri: (text: String, start: Int)?
    private var comment: String?
    private var isFull = false

    init(octets: FieldOctets, limits: MIMELimits) {
        self.octets = octets
        self.limits = limits
    }

    mutating func read() {
        while index < octets.count, !isFull {
            switch octets[index] {
            case _ where octets[index].isFoldingSpace: index += 1
            case UInt8(ascii: "("): readComment()
            case UInt8(ascii: ","):
                endEntry()
                index += 1
            case ASCII.less: readBracketed()
            default: readBare()
            }
        }
        if !isFull { endEntry() }
    }

    private mutating func readComment() {
        let start = index + 1
        var end = octets.count
        if let comment = octets.comment(at: index) {
            index = comment.end
            end = index - 1
        } else {
            defects.append(Defect(.unclosedComment, at: index))
            index = octets.count
        }
        let text = HeaderText.decodeComment(octets[start..<end][...], limits: limits)
        if comment == nil { comment = text.value.nonEmpty }
    }

    private mutating func readBracketed() {
        // A URI behind another one without a comma is one more.
        if uri != nil { endEntry() }
        let start = index + 1
        index = start
        while index < octets.count, octets[index] != ASCII.greater { index += 1 }
        if index == octets.count { defects.append(Defect(.unclosedBracket, at: start - 1)) }
        uri = (withoutSpace(start..<index), start - 1)
        index += 1
    }

    private mutating func readBare() {
        let start = index
        while index < octets.count, !octets[index].isFoldingSpace,
            ![UInt8(ascii: ","), UInt8(ascii: "("), ASCII.less].contains(octets[index])
        {
            index += 1
        }
        if index - start == 2, uri == nil, octets.has("no", at: start) {
            list.isForbidden = true
            return
        }
        defects.append(Defect(.invalidValue, at: start))
        // Words are no URI.
        if uri == nil, (start..<index).contains(where: { octets[$0] == UInt8(ascii: ":") }) {
            uri = (withoutSpace(start..<index), start)
        }
    }

    private mutating func endEntry() {
        if let uri, !uri.text.isEmpty {
            if list.entries.count < limits.parameterCount {
                list.entries.append(ListURIs.Entry(uri: uri.text, comment: comment))
            } else {
                defects.append(Defect(.limitReached, at: uri.start, limit: "parameterCount"))
                isFull = true
            }
        }
        uri = nil
        comment = nil
    }

    private func withoutSpace(_ range: Range<Int>) -> String {
        let kept = octets[range].filter { !$0.isFoldingSpace }
        return withoutControlCharacters(
            String(decoding: kept, as: UTF8.self), replacement: "\u{FFFD}")
    }
}
