/// A decoder of a transfer encoding that takes whatever mail has, in pieces of any size.
package protocol LenientDecoder {
    associatedtype Report: LenientReport

    init()
    /// Reads the next octets and appends what they stand for.
    mutating func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8])
    mutating func decode(_ text: some Collection<UInt8>, into output: inout [UInt8])
    /// Appends what the last octets stand for, and says what was odd.
    mutating func finish(into output: inout [UInt8]) -> Report
}

/// What was odd in a transfer encoding.
package protocol LenientReport {
    /// Where the first odd octet is.
    var firstOddOffset: Int? { get }
}

extension LenientDecoder {
    static func decodeAll(
        _ text: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) -> Report {
        var decoder = Self()
        decoder.decode(text, into: &output)
        return decoder.finish(into: &output)
    }

    static func decodeAll(_ text: some Collection<UInt8>) -> (octets: [UInt8], report: Report) {
        var octets: [UInt8] = []
        var decoder = Self()
        decoder.decode(text, into: &octets)
        let report = decoder.finish(into: &octets)
        return (octets, report)
    }
}

extension Base64Decoder: LenientDecoder {}
extension Base64Report: LenientReport {}
extension QuotedPrintableDecoder: LenientDecoder {}
extension QuotedPrintableReport: LenientReport {}
