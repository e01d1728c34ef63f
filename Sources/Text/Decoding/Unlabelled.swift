import MartletBytes

extension Charset {
    /// Decodes text whose charset nobody told, or whose label is unknown.
    ///
    /// UTF-8 if it is valid; else ISO-2022-JP (or -KR, -CN) if it has 7 bits and that charset's escapes;
    /// else what `detector` says; else windows-1252, in which every octet is a character.
    public static func decodeUnlabelled(
        _ octets: UnsafeRawBufferPointer, detector: CharsetDetector? = nil
    ) -> DecodedText {
        unlabelled(octets, detector: detector).decode(octets)
    }

    /// Decodes text whose charset nobody told; see
    /// ``decodeUnlabelled(_:detector:)-(UnsafeRawBufferPointer,_)``.
    public static func decodeUnlabelled(
        _ octets: some Collection<UInt8>, detector: CharsetDetector? = nil
    ) -> DecodedText {
        octets.withUnsafeOctets { decodeUnlabelled($0, detector: detector) }
    }

    /// The charset that ``decodeUnlabelled(_:detector:)-(UnsafeRawBufferPointer,_)`` reads octets as, if
    /// they do not begin with a byte order mark.
    public static func unlabelled(
        _ octets: UnsafeRawBufferPointer, detector: CharsetDetector? = nil
    ) -> Charset {
        let end = ASCIIRun.end(in: octets, from: 0)
        if end == octets.count { return shifting(octets) ?? .utf8 }
        if UTF8Decoder.validEnd(in: octets, from: end) == octets.count { return .utf8 }
        return detector?(octets) ?? .windows1252
    }

    /// Whether octets are valid UTF-8.
    static func isUTF8(_ octets: UnsafeRawBufferPointer) -> Bool {
        UTF8Decoder.validEnd(in: octets, from: ASCIIRun.end(in: octets, from: 0)) == octets.count
    }

    /// The charset whose escape sequences octets of 7 bits have; `nil` if there are none.
    private static func shifting(_ octets: UnsafeRawBufferPointer) -> Charset? {
        var offset = 0
        while let escape = octets.firstOffset(of: EscapeSequence.escape, from: offset) {
            if let found = EscapeSequence.find(telling, in: octets, behind: escape) {
                return Charset(found.meaning)
            }
            offset = escape + 1
        }
        return nil
    }

    private static let telling: [(sequence: StaticString, meaning: Encoding)] = [
        ("$B", .iso2022JP), ("$@", .iso2022JP), ("(J", .iso2022JP), ("(I", .iso2022JP),
        ("$(D", .iso2022JP), ("$)C", .iso2022KR), ("$)A", .iso2022CN), ("$)G", .iso2022CN),
    ]
}
