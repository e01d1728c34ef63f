import MartletBytes

/// RTF as Outlook compresses it in TNEF and message stores. [MS-OXRTFCP].
public enum CompressedRTF {
    /// Decompresses RTF. Damage ends it early, with a defect; what came before is kept.
    ///
    /// - Parameter limits: at most `bodySizeInOctets` come out.
    /// - Returns: `nil` if it is not in the format.
    public static func decompress(
        _ octets: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<[UInt8]?> {
        octets.withUnsafeBytes { decompress($0, limits: limits) }
    }

    static func decompress(
        _ octets: UnsafeRawBufferPointer, limits: MIMELimits
    ) -> Parsed<[UInt8]?> {
        var cursor = TNEFCursor(octets)
        guard let compressedSize = cursor.uint32(), let rawSize = cursor.uint32(),
            let kind = cursor.uint32(), let checksum = cursor.uint32()
        else { return Parsed(nil, defects: [Defect(.invalidTNEF, at: 0)]) }
        // COMPSIZE counts the three numbers behind it, too.
        let told = Int(compressedSize) - 12
        let end = min(octets.count, 16 + max(0, told))
        var defects: [Defect] = []
        if end - 16 != told { defects.append(Defect(.invalidTNEF, at: 0)) }
        let content = UnsafeRawBufferPointer(rebasing: octets[16..<end])
        switch kind {
        case uncompressed:
            let size = min(Int(rawSize), content.count, limits.bodySizeInOctets)
            if size < rawSize { defects.append(Defect(.invalidTNEF, at: 4)) }
            return Parsed([UInt8](content.prefix(size)), defects: defects)
        case compressed:
            if Self.checksum(of: content) != checksum {
                defects.append(Defect(.wrongChecksum, at: 12))
            }
            let limit = min(Int(rawSize), limits.bodySizeInOctets)
            let output = expand(content, limit: limit)
            if output.count < rawSize {
                let isLimit = output.count == limits.bodySizeInOctets
                defects.append(
                    isLimit
                        ? Defect(.limitReached, at: 4, limit: "bodySizeInOctets")
                        : Defect(.invalidTNEF, at: 4))
            }
            return Parsed(output, defects: defects)
        default:
            return Parsed(nil, defects: [Defect(.invalidTNEF, at: 8)])
        }
    }

    /// `LZFu` and `MELA`.
    private static let compressed: UInt32 = 0x7546_5A4C
    private static let uncompressed: UInt32 = 0x414C_454D

    /// Octets and references into the 4,096 octets before, eight of them behind an octet that tells which is which.
    private static func expand(_ content: UnsafeRawBufferPointer, limit: Int) -> [UInt8] {
        var dictionary = initialDictionary
        var position = initialText.utf8.count
        var output: [UInt8] = []
        // A reference of two octets stands for 17 at most.
        output.reserveCapacity(min(limit, content.count * 9))
        var index = 0
        while index < content.count {
            let control = content[index]
            index += 1
            for bit in 0..<8 where index < content.count {
                if control >> UInt8(bit) & 1 == 0 {
                    guard output.count < limit else { return output }
                    output.append(content[index])
                    dictionary[position] = content[index]
                    position = (position + 1) & 0xFFF
                    index += 1
                    continue
                }
                guard index + 1 < content.count else { return output }
                let reference = Int(content[index]) << 8 | Int(content[index + 1])
                index += 2
                var source = reference >> 4
                // A reference to where the next octet will be ends the text.
                if source == position { return output }
                for _ in 0..<(reference & 0xF) + 2 {
                    guard output.count < limit else { return output }
                    let octet = dictionary[source]
                    output.append(octet)
                    dictionary[position] = octet
                    source = (source + 1) & 0xFFF
                    position = (position + 1) & 0xFFF
                }
            }
        }
        return output
    }

    private static let initialDictionary: [UInt8] = {
        var dictionary = [UInt8](repeating: ASCII.space, count: 4_096)
        dictionary.replaceSubrange(0..<initialText.utf8.count, with: initialText.utf8)
        return dictionary
    }()

    /// What the dictionary holds at first. §2.1.2.1.
    private static let initialText =
        #"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern "#
        + #"\fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0"#
        + "\\green0\\blue0\r\n" + #"\par \pard\plain\f0\fs20\b\i\u\tab\tx"#

    /// CRC-32 without its two inversions. §2.1.3.2.
    private static func checksum(of content: UnsafeRawBufferPointer) -> UInt32 {
        var checksum = CRC32(state: 0)
        checksum.update(with: content)
        return checksum.state
    }
}
