import MartletBytes

/// Puts header fields in canonical form. RFC 6376 §3.4.1, §3.4.2.
struct HeaderCanonicalizer {
    let canonicalization: Canonicalization

    /// Appends a field and its CRLF.
    func append(
        _ field: HeaderSection.Field, of header: HeaderSection, to canonical: inout [UInt8]
    ) {
        append(field, of: header.octets, without: nil, to: &canonical)
        canonical.append(ASCII.cr)
        canonical.append(ASCII.lf)
    }

    /// Appends a field without the octets of `hole` (the value of `b=`), and without its last CRLF. RFC 6376 §3.7.
    func append(
        _ field: HeaderSection.Field, of octets: [UInt8], without hole: Range<Int>?,
        to canonical: inout [UInt8]
    ) {
        let value = field.valueRange
        let hole = hole ?? value.upperBound..<value.upperBound
        let (before, behind) = (
            value.lowerBound..<hole.lowerBound, hole.upperBound..<value.upperBound
        )
        switch canonicalization {
        case .simple:
            appendSimple(octets[field.nameRange.lowerBound..<value.lowerBound], to: &canonical)
            appendSimple(octets[before], to: &canonical)
            appendSimple(octets[behind], to: &canonical)
        case .relaxed:
            canonical.append(contentsOf: field.name)
            canonical.append(UInt8(ascii: ":"))
            let start = canonical.count
            var hasBlank = false
            appendRelaxed(octets[before], from: start, &hasBlank, to: &canonical)
            appendRelaxed(octets[behind], from: start, &hasBlank, to: &canonical)
        }
    }

    /// As it stands, lines ended by CRLF.
    private func appendSimple(_ octets: ArraySlice<UInt8>, to canonical: inout [UInt8]) {
        for octet in octets where octet != ASCII.cr {
            if octet == ASCII.lf { canonical.append(ASCII.cr) }
            canonical.append(octet)
        }
    }

    /// Unfolded, runs of blanks as one space, none at either end.
    private func appendRelaxed(
        _ octets: ArraySlice<UInt8>, from start: Int, _ hasBlank: inout Bool,
        to canonical: inout [UInt8]
    ) {
        for octet in octets {
            switch octet {
            case ASCII.space, ASCII.tab: hasBlank = true
            case ASCII.cr, ASCII.lf: break
            default:
                if hasBlank, canonical.count > start { canonical.append(ASCII.space) }
                hasBlank = false
                canonical.append(octet)
            }
        }
    }
}
