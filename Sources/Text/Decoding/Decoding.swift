import MartletBytes

extension Charset {
    /// Decodes octets to text. Never fails: what is no character becomes U+FFFD and is counted.
    ///
    /// The rules are those of browsers: one U+FFFD for each broken piece, an ASCII octet behind a broken
    /// lead octet is kept, octets that windows-125x leave unused are C1 controls. A byte order mark is
    /// believed more than this charset, and is left out. Shifts (ISO-2022, HZ, UTF-7) end with the octets.
    public func decode(_ octets: UnsafeRawBufferPointer) -> DecodedText {
        let (encoding, start) = resolved(octets)
        let rest = UnsafeRawBufferPointer(rebasing: octets[start...])
        if let isASCII = encoding.isUTF8AsItStands(rest) {
            let text = String(knownUTF8: rest.bindMemory(to: UInt8.self), isASCII: isASCII)
            return DecodedText(text: text, report: DecodingReport(charset: Charset(encoding)))
        }
        var output = UTF8Output(decoding: rest)
        encoding.decode(rest, into: &output)
        return DecodedText(
            text: output.string(), report: output.report(of: encoding, start: start))
    }

    /// Decodes octets to text; see ``decode(_:)-(UnsafeRawBufferPointer)``.
    public func decode(_ octets: some Collection<UInt8>) -> DecodedText {
        octets.withUnsafeOctets(decode)
    }

    /// Decodes octets to UTF-8, which is added to `utf8`; see ``decode(_:)-(UnsafeRawBufferPointer)``.
    @discardableResult
    public func decode(
        _ octets: UnsafeRawBufferPointer, appendingTo utf8: inout [UInt8]
    ) -> DecodingReport {
        let (encoding, start) = resolved(octets)
        let rest = UnsafeRawBufferPointer(rebasing: octets[start...])
        if encoding.isUTF8AsItStands(rest) != nil {
            utf8.append(contentsOf: rest)
            return DecodingReport(charset: Charset(encoding))
        }
        var output = UTF8Output(decoding: rest)
        encoding.decode(rest, into: &output)
        output.append(to: &utf8)
        return output.report(of: encoding, start: start)
    }

    /// Decodes octets to UTF-8, which is added to `utf8`; see ``decode(_:)-(UnsafeRawBufferPointer)``.
    @discardableResult
    public func decode(
        _ octets: some Collection<UInt8>, appendingTo utf8: inout [UInt8]
    ) -> DecodingReport {
        octets.withUnsafeOctets { decode($0, appendingTo: &utf8) }
    }

    /// The encoding that octets are read in, and where their text begins.
    func resolved(
        _ octets: UnsafeRawBufferPointer,
        isAvailable: (Charset) -> Bool = { $0.isAvailable }
    ) -> (encoding: Encoding, start: Int) {
        let (encoding, start) = ByteOrderMark.resolve(octets, labelled: self.encoding)
        if isAvailable(Charset(encoding)) { return (encoding, start) }
        // UTF-8 or windows-1252: those need no table of the system.
        return (Charset.isUTF8(octets) ? .utf8 : .singleOctet(.windows1252), start)
    }
}

extension Encoding {
    /// Whether the octets need no decoder: `nil` if they do, else whether all are ASCII.
    fileprivate func isUTF8AsItStands(_ octets: UnsafeRawBufferPointer) -> Bool? {
        guard extendsASCII else { return nil }
        let end = ASCIIRun.end(in: octets, from: 0)
        if end == octets.count { return true }
        guard self == .utf8 else { return nil }
        return UTF8Decoder.validEnd(in: octets, from: end) == octets.count ? false : nil
    }

    /// Decodes octets that have no byte order mark.
    func decode(_ octets: UnsafeRawBufferPointer, into output: inout UTF8Output) {
        switch self {
        case .utf8: UTF8Decoder.decode(octets, into: &output)
        case .utf7: UTF7Decoder.decode(octets, into: &output)
        case .utf16LE, .utf16: UTF16Decoder.decode(octets, isBigEndian: false, into: &output)
        case .utf16BE: UTF16Decoder.decode(octets, isBigEndian: true, into: &output)
        case .utf32LE, .utf32: UTF32Decoder.decode(octets, isBigEndian: false, into: &output)
        case .utf32BE: UTF32Decoder.decode(octets, isBigEndian: true, into: &output)
        case .singleOctet(let charset):
            SingleOctetDecoder.decode(octets, as: charset, into: &output)
        case .iso2022JP: ISO2022JPDecoder.decode(octets, into: &output)
        case .iso2022KR: ISO2022KRDecoder.decode(octets, into: &output)
        case .iso2022CN: ISO2022CNDecoder.decode(octets, into: &output)
        case .hz: HZDecoder.decode(octets, into: &output)
        case .gb18030, .gbk, .big5, .eucTW, .shiftJIS, .eucJP, .eucKR:
            decodePairs(octets, essentialSet?.table ?? .init(), into: &output)
        }
    }

    private func decodePairs(
        _ octets: UnsafeRawBufferPointer, _ table: DoubleOctetTable, into output: inout UTF8Output
    ) {
        switch self {
        case .gb18030, .gbk:
            DoubleOctetDecoder(rules: GB18030Rules(table: table)).decode(octets, into: &output)
        case .big5: DoubleOctetDecoder(rules: Big5Rules(table: table)).decode(octets, into: &output)
        case .eucTW:
            let rules = EUCTWRules(table: table, plane2: CharacterSet.cns11643Plane2.table)
            DoubleOctetDecoder(rules: rules).decode(octets, into: &output)
        case .shiftJIS:
            DoubleOctetDecoder(rules: ShiftJISRules(table: table)).decode(octets, into: &output)
        case .eucJP:
            let rules = EUCJPRules(table: table, supplement: CharacterSet.jisX0212.table)
            DoubleOctetDecoder(rules: rules).decode(octets, into: &output)
        default: DoubleOctetDecoder(rules: EUCKRRules(table: table)).decode(octets, into: &output)
        }
    }
}

extension UTF8Output {
    /// Room for what most text becomes: a pair of octets three.
    fileprivate init(decoding octets: UnsafeRawBufferPointer) {
        self.init(capacity: octets.count + octets.count / 2)
    }

    fileprivate borrowing func report(of encoding: Encoding, start: Int) -> DecodingReport {
        DecodingReport(
            charset: Charset(encoding), malformedCount: malformedCount,
            firstMalformedOffset: firstMalformedOffset.map { $0 + start })
    }
}
