private import CMartletIDN2

/// Domain names in the two forms mail needs: A-labels for the wire, U-labels for people.
///
/// IDNA2008 (RFC 5890, RFC 5891) with the mapping of UTS #46, non-transitional: `faß.example` keeps
/// its ß and becomes `xn--fa-hia.example`, never `fass.example`.
public enum DomainName {
    /// Octets of a name in A-label form, without a final dot. RFC 1035 §2.3.4.
    public static let maximumOctets = 253
    /// Octets of one label in A-label form. RFC 1035 §2.3.4.
    public static let maximumLabelOctets = 63
    /// UTF-8 octets of a name before conversion: more can never fit into `maximumOctets`.
    public static let maximumInputOctets = 1_024

    /// The form DNS and SMTP carry: ASCII letters, digits, hyphens and dots.
    ///
    ///     toASCII("bücher.example")  → "xn--bcher-kva.example"
    ///     toASCII("Example.ORG")     → "Example.ORG"
    ///
    /// A name that is ASCII already is checked and given back untouched, in its own case and with
    /// its A-labels unread. Underscores are let through: real host names carry them. One final
    /// dot is kept. Address literals (`[192.0.2.1]`) are not domain names: do not pass them.
    ///
    /// - Throws: `DomainError`, which names the reason; mend the name.
    public static func toASCII(_ name: String) throws(DomainError) -> String {
        do {
            if try isASCII(name) {
                try checkASCII(name)
                return name
            }
            let converted = try convert(name)
            try checkASCII(converted)
            return converted
        } catch {
            throw DomainError(kind: error, domain: name)
        }
    }

    /// The form people read: A-labels decoded, everything else as it is.
    ///
    ///     toUnicode("xn--bcher-kva.example")  → "bücher.example"
    ///
    /// Never fails: a label that is no valid A-label stays in the form it came in, which is also
    /// the safe one to show.
    public static func toUnicode(_ name: String) -> String {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.map { decode($0) ?? String($0) }.joined(separator: ".")
    }

    // MARK: Checks

    /// Whether the name is ASCII; refuses what must not reach a C string at all.
    private static func isASCII(_ name: String) throws(DomainError.Kind) -> Bool {
        guard !name.isEmpty else { throw .empty }
        guard name.utf8.count <= maximumInputOctets else { throw .tooLong }
        var isASCII = true
        for octet in name.utf8 {
            if octet >= 0x80 {
                isASCII = false
            } else if !isHostOctet(octet), octet != UInt8(ascii: ".") {
                throw .disallowedCharacter(Unicode.Scalar(octet))
            }
        }
        return isASCII
    }

    /// Letters, digits, hyphens inside, underscores; label and name lengths. RFC 1123 §2.1.
    private static func checkASCII(_ name: String) throws(DomainError.Kind) {
        let octets = name.utf8
        let body = octets.last == UInt8(ascii: ".") ? octets.dropLast() : octets[...]
        guard body.count <= maximumOctets else { throw .tooLong }
        for label in body.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard let first = label.first, let last = label.last else { throw .emptyLabel }
            guard label.count <= maximumLabelOctets else {
                throw .labelTooLong(String(Substring(label)))
            }
            // Once more, since the mapping makes ASCII of other characters: "＠" becomes "@".
            for octet in label where !isHostOctet(octet) {
                throw .disallowedCharacter(Unicode.Scalar(octet))
            }
            guard first != UInt8(ascii: "-"), last != UInt8(ascii: "-") else {
                throw .hyphenAtEdge(String(Substring(label)))
            }
        }
    }

    private static func isHostOctet(_ octet: UInt8) -> Bool {
        (octet | 0x20) &- 0x61 < 26 || octet &- 0x30 < 10 || octet == UInt8(ascii: "-")
            || octet == UInt8(ascii: "_")
    }

    // MARK: The library

    private static let flags = Int32(
        bitPattern: IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)

    private static func convert(_ name: String) throws(DomainError.Kind) -> String {
        var output: UnsafeMutablePointer<CChar>?
        let code = idn2_to_ascii_8z(name, &output, flags)
        defer { idn2_free(output) }
        guard code == Int32(IDN2_OK.rawValue), let output else {
            throw kind(of: code, name: name)
        }
        return String(cString: output)
    }

    /// The U-label of an A-label that survives the way back; `nil` for anything else.
    private static func decode(_ label: Substring) -> String? {
        guard label.utf8.count > 4, label.utf8.count <= maximumLabelOctets,
            label.utf8.allSatisfy(isHostOctet)
        else { return nil }
        let label = label.lowercased()
        guard label.hasPrefix("xn--") else { return nil }
        var output: UnsafeMutablePointer<CChar>?
        let code = idn2_to_unicode_8z8z(label, &output, 0)
        defer { idn2_free(output) }
        guard code == Int32(IDN2_OK.rawValue), let output else { return nil }
        let decoded = String(cString: output)
        guard let again = try? convert(decoded), again == label else { return nil }
        return decoded
    }

    private static func kind(of code: Int32, name: String) -> DomainError.Kind {
        switch idn2_rc(rawValue: code) {
        case IDN2_TOO_BIG_DOMAIN: .tooLong
        case IDN2_TOO_BIG_LABEL, IDN2_PUNYCODE_BIG_OUTPUT: .labelTooLong(nil)
        case IDN2_BIDI: .mixedDirections
        case IDN2_2HYPHEN: .hyphensInThirdAndFourthPlace
        case IDN2_HYPHEN_STARTEND: .hyphenAtEdge(nil)
        case IDN2_LEADING_COMBINING: .leadingCombiningMark
        case IDN2_DISALLOWED, IDN2_INVALID_NONTRANSITIONAL, IDN2_DOT_IN_LABEL:
            .disallowedCharacter(nil)
        case IDN2_CONTEXTJ, IDN2_CONTEXTJ_NO_RULE, IDN2_CONTEXTO, IDN2_CONTEXTO_NO_RULE:
            .characterOutOfContext
        case IDN2_UNASSIGNED: .unassignedCodePoint
        case IDN2_INVALID_ALABEL, IDN2_UALABEL_MISMATCH, IDN2_ALABEL_ROUNDTRIP_FAILED,
            IDN2_PUNYCODE_BAD_INPUT, IDN2_PUNYCODE_OVERFLOW:
            // The library also says so of characters whose mapping does not survive the way back.
            name.utf8.contains(UInt8(ascii: "-")) ? .invalidALabel : .disallowedCharacter(nil)
        case IDN2_MALLOC: .outOfMemory
        default: .refused(String(cString: idn2_strerror(code)))
        }
    }
}
