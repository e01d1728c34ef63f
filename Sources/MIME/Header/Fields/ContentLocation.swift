import MartletBytes

/// Reads `Content-Location` and `Content-Base`: a URI, absolute or relative. RFC 2557 §4.
public enum ContentLocation {
    /// Reads a value as it stands in the message: the URI without the folds that cut it, decoded if it is in
    /// encoded words, without quotes or angle brackets around it. `nil` if there is none.
    ///
    /// It is text that somebody sent: a name to find parts by, and nothing to be fetched.
    public static func parse(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<String?> {
        let octets = value.span
        var range = octets.trimmed(0..<octets.count)
        if range.count >= 2 {
            let first = octets[range.lowerBound]
            let last = octets[range.upperBound - 1]
            if first == ASCII.quote && last == ASCII.quote
                || first == ASCII.less && last == ASCII.greater
            {
                range = octets.trimmed((range.lowerBound + 1)..<(range.upperBound - 1))
            }
        }
        let parsed = HeaderText.decode(octets.extracting(range), limits: limits)
        // A URI has no blanks: those of folds are dropped, RFC 2557 §4.4.2.
        let uri =
            parsed.value.utf8.contains(ASCII.space)
            ? String(decoding: parsed.value.utf8.filter { $0 != ASCII.space }, as: UTF8.self)
            : parsed.value
        let defects = parsed.defects.map { $0.moved(by: range.lowerBound) }
        if uri.isEmpty { return Parsed(nil, defects: defects + [Defect(.invalidValue, at: 0)]) }
        return Parsed(uri, defects: defects)
    }
}
