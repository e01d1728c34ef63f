import MartletBytes

extension Charset {
    /// Decodes text by its label as far as that can be right, else as if there were none.
    ///
    /// A label is not believed where
    /// - it is unknown or missing,
    /// - it says ASCII, or a charset of 7 bits (ISO-2022, HZ, UTF-7), and there are octets above 127, or it
    ///   says ASCII and there are escape sequences of ISO-2022,
    /// - it says UTF-16 or UTF-32, and 16 octets or more are plain UTF-8 without one NUL,
    /// - most of what is beyond ASCII is malformed in it, and less would be without it.
    ///
    /// The charset of the report tells what was believed.
    public static func decode(
        _ octets: UnsafeRawBufferPointer, label: (some StringProtocol)?,
        detector: CharsetDetector? = nil
    ) -> DecodedText {
        // What has no label is read as UTF-8 where it is ASCII, which makes no difference.
        guard let key = label.flatMap({ LabelKey($0.utf8) }), let meaning = CharsetLabels.find(key),
            !meaning.isASCII
        else { return decodeUnlabelled(octets, detector: detector) }
        return Charset(meaning.encoding).decodeIfRight(octets, detector: detector)
    }

    /// Decodes text that is said to be in this charset as far as that can be right, else as if it had no label; see
    /// ``decode(_:label:detector:)-(UnsafeRawBufferPointer,_,_)``.
    package func decodeIfRight(
        _ octets: UnsafeRawBufferPointer, detector: CharsetDetector? = nil
    ) -> DecodedText {
        guard mayBeRight(for: octets) else {
            return Self.decodeUnlabelled(octets, detector: detector)
        }
        let decoded = decode(octets)
        if decoded.malformedCount > 0, self == .utf8, let octets = SurrogatePairs.joined(octets) {
            return DecodedText(text: decode(octets).text, report: decoded.report)
        }
        if !decoded.isMostlyMalformed { return decoded }
        let other = Self.decodeUnlabelled(octets, detector: detector)
        return other.malformedCount < decoded.malformedCount ? other : decoded
    }

    /// Decodes text by its label as far as that can be right; see
    /// ``decode(_:label:detector:)-(UnsafeRawBufferPointer,_,_)``.
    public static func decode(
        _ octets: some Collection<UInt8>, label: (some StringProtocol)?,
        detector: CharsetDetector? = nil
    ) -> DecodedText {
        octets.withUnsafeOctets { decode($0, label: label, detector: detector) }
    }
}

extension Charset {
    /// Fewer octets of UTF-16 may look like UTF-8 by chance.
    private static var wideSizeInOctets: Int { 16 }

    /// Whether octets may be in this charset, as far as can be told without decoding them.
    package func mayBeRight(for octets: UnsafeRawBufferPointer) -> Bool {
        switch encoding {
        case .utf16, .utf16LE, .utf16BE, .utf32, .utf32LE, .utf32BE:
            octets.count < Self.wideSizeInOctets || octets.contains(0) || !Charset.isUTF8(octets)
        case .utf7, .iso2022JP, .iso2022KR, .iso2022CN, .hz:
            ASCIIRun.end(in: octets, from: 0) == octets.count
        default: true
        }
    }
}

extension DecodedText {
    /// Whether more of what is beyond ASCII is malformed than is not.
    fileprivate var isMostlyMalformed: Bool {
        guard malformedCount > 0 else { return false }
        // Each character beyond ASCII has one octet that begins it, and so has each U+FFFD.
        let beyondCount = text.utf8.reduce(0) { $0 + ($1 >= 0xC0 ? 1 : 0) }
        return malformedCount * 2 > beyondCount
    }
}
