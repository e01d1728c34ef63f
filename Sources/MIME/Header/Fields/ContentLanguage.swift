import MartletBytes

/// Reads `Content-Language`: the languages that the body is meant for. RFC 3282 §2.
public enum ContentLanguage {
    /// Reads a value as it stands in the message: tags such as `de-CH`, as they were written, in their
    /// order. What is no tag is a defect, `invalidValue`, and left out.
    ///
    /// - Parameter limits: `valueSizeInOctets`, and `parameterCount` for the number of tags; what is beyond is not
    ///   in the list.
    public static func parse(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<[String]> {
        let octets = value.span
        var languages: [String] = []
        var defects: [Defect] = []
        var cursor = ParameterCursor(
            index: 0, end: limits.readableCount(of: octets.count, &defects))
        var hasJunk = false
        while true {
            cursor.skipBlanks(in: octets)
            guard cursor.index < cursor.end else { break }
            if octets[cursor.index].separatesTags {
                cursor.index += 1
                continue
            }
            let start = cursor.index
            var isTag = true
            while cursor.index < cursor.end, !octets[cursor.index].isFoldingSpace,
                !octets[cursor.index].separatesTags,
                octets[cursor.index] != UInt8(ascii: "(")
                    || cursor.index == start
            {
                let octet = octets[cursor.index]
                if !octet.isLetter, !octet.isDigit, octet != ASCII.hyphen { isTag = false }
                cursor.index += 1
            }
            if isTag {
                guard languages.count < limits.parameterCount else {
                    defects.append(Defect(.limitReached, at: start, limit: "parameterCount"))
                    break
                }
                languages.append(octets.string(start..<cursor.index))
            } else if !hasJunk {
                hasJunk = true
                defects.append(Defect(.invalidValue, at: start))
            }
        }
        return Parsed(languages, defects: defects)
    }
}

extension UInt8 {
    fileprivate var separatesTags: Bool { self == UInt8(ascii: ",") || self == UInt8(ascii: ";") }
}
