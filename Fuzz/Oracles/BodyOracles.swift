import MartletBytes
import MartletFiles
import MartletMIME
import MartletText

/// What must hold for any octets in any transfer encoding and any charset. The first octet chooses how they are cut.
package enum TransferEncodingsOracle {
    /// Traps where a decoder breaks a promise.
    package static func check(_ input: [UInt8]) {
        let cut = input.isEmpty ? 0 : Int(input[0]) % (input.count + 1)
        checkBase64(input, cut)
        checkQuotedPrintable(input, cut)
        for file in [Uuencode.decode(input).value, YEnc.decode(input).value] {
            precondition(isOneLine(file.name))
        }
        for file in EmbeddedFile.find(in: input).value {
            precondition(file.range.clamped(to: 0..<input.count) == file.range)
        }
        let text = Charset.decodeUnlabelled(input).text
        let flowed = FlowedText.parse(text, deletesSpaces: input.first == 1).value
        precondition(
            FlowedText.parse(String(decoding: flowed.encode(), as: UTF8.self), deletesSpaces: false)
                .value.plainText.utf8.count >= 0)
        if let first = input.first {
            let charset = Charset.all[Int(first) % Charset.all.count]
            let decoded = charset.decode(input)
            precondition((decoded.firstMalformedOffset != nil) == (decoded.malformedCount > 0))
        }
    }

    private static func checkBase64(_ input: [UInt8], _ cut: Int) {
        let whole = Base64.decodeLenient(input)
        var decoder = Base64Decoder()
        var octets: [UInt8] = []
        decoder.decode(input[..<cut], into: &octets)
        decoder.decode(input[cut...], into: &octets)
        let report = decoder.finish(into: &octets)
        precondition(octets == whole.octets && report == whole.report, "a cut changes base64")
        if let strict = Base64.decode(input) { precondition(strict == whole.octets) }
    }

    private static func checkQuotedPrintable(_ input: [UInt8], _ cut: Int) {
        let whole = QuotedPrintable.decodeLenient(input)
        var decoder = QuotedPrintableDecoder()
        var octets: [UInt8] = []
        decoder.decode(input[..<cut], into: &octets)
        decoder.decode(input[cut...], into: &octets)
        let report = decoder.finish(into: &octets)
        precondition(
            octets == whole.octets && report == whole.report, "a cut changes quoted-printable")
    }
}

/// What must hold for any octets as an mbox.
package enum MboxOracle {
    /// Traps where the reader of mboxes breaks a promise.
    package static func check(_ input: [UInt8]) {
        for variant in [nil, MboxVariant.mboxo, .mboxrd, .mboxcl, .mboxcl2] {
            var reader = MboxReader(Octets(input), variant: variant)
            var end = reader.leadingRange.upperBound
            while let message = try? reader.next() {
                precondition(message.separatorRange.lowerBound >= end, "messages overlap")
                precondition(message.range.lowerBound >= message.separatorRange.upperBound)
                precondition(message.range.upperBound <= input.count)
                end = message.range.upperBound
                _ = try? reader.octets(of: message, unescaping: true)
            }
        }
    }
}
