import MartletBytes
import MartletMIME

/// A block of ASCII armour in a text. RFC 9580 §6.2.
public struct PGPArmorBlock: Sendable, Hashable {
    /// What is in it.
    public enum Kind: Sendable, Hashable {
        /// Encrypted, or signed and packed.
        case message
        /// A readable text and its signature. RFC 9580 §7.
        case signedText
        /// A signature of something else.
        case signature
        /// A public key.
        case publicKey
        /// A private key: whoever sees it should be told.
        case privateKey
    }

    /// What is in it.
    public var kind: Kind
    /// From `-----BEGIN` to the end of the `-----END` line; to the end of the text where that is missing.
    public var range: Range<Int>
    /// The text of a `signedText` with its dash escapes, the line end before the signature included; `nil` for others.
    public var textRange: Range<Int>?
    /// The signature of a `signedText`, from its own `-----BEGIN`; `nil` for others, and where it is missing.
    public var signatureRange: Range<Int>?
    /// Whether its end is there.
    public var isComplete: Bool

    /// Finds the blocks in a text. Each begins at the start of a line: quoted ones are none.
    ///
    /// - Parameter limit: how many are found at most.
    public static func blocks(
        in text: [UInt8], limit: Int = SignatureLimits.standard.armorBlockCount
    ) -> [PGPArmorBlock] {
        var scanner = PGPArmorScanner(limit: limit)
        text.withUnsafeBytes { text in
            var start = 0
            while start < text.count, !scanner.isFull {
                let next = text.firstOffset(of: ASCII.lf, from: start).map { $0 + 1 } ?? text.count
                scanner.read(start..<next, of: text)
                start = next
            }
            scanner.finish(at: text.count)
        }
        return scanner.blocks
    }
}

extension Part {
    /// The blocks of OpenPGP in the text of this part. Ranges are of `decodedBody()`. RFC 9580 §6.2.
    public func pgpArmorBlocks(limits: SignatureLimits = .standard) -> [PGPArmorBlock] {
        guard kind == .leaf, contentType.type == "text" else { return [] }
        return PGPArmorBlock.blocks(in: decodedBody().value, limit: limits.armorBlockCount)
    }
}

/// Finds armour line by line.
private struct PGPArmorScanner {
    let limit: Int
    var blocks: [PGPArmorBlock] = []
    /// The block that has begun; its range ends where it begins.
    private var open: PGPArmorBlock?
    private var openLabel: [UInt8] = []
    /// The header of a signed text is not over yet.
    private var isInHeader = false

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { blocks.count >= limit }

    mutating func read(_ line: Range<Int>, of text: UnsafeRawBufferPointer) {
        if isInHeader {
            isInHeader = !text[line].allSatisfy { $0.isBlank || $0 == ASCII.cr || $0 == ASCII.lf }
            if !isInHeader { open?.textRange = line.upperBound..<line.upperBound }
        }
        if let label = Self.label(of: text[line], after: "-----BEGIN PGP ") {
            begin(label, at: line.lowerBound)
        } else if let label = Self.label(of: text[line], after: "-----END PGP "), label == openLabel
        {
            close(at: line.upperBound, isComplete: true)
        }
    }

    private mutating func begin(_ label: [UInt8], at start: Int) {
        if open?.kind == .signedText, open?.signatureRange == nil,
            label.elementsEqual("SIGNATURE".utf8)
        {
            if let textStart = open?.textRange?.lowerBound { open?.textRange = textStart..<start }
            open?.signatureRange = start..<start
            openLabel = label
            isInHeader = false
            return
        }
        guard let kind = Self.kind(label) else { return }
        // One within another: the first has no end.
        close(at: start, isComplete: false)
        guard !isFull else { return }
        open = PGPArmorBlock(kind: kind, range: start..<start, isComplete: false)
        openLabel = kind == .signedText ? [] : label
        isInHeader = kind == .signedText
    }

    private mutating func close(at end: Int, isComplete: Bool) {
        guard var block = open else { return }
        block.range = block.range.lowerBound..<end
        if block.signatureRange == nil, let start = block.textRange?.lowerBound {
            block.textRange = start..<end
        }
        block.signatureRange = block.signatureRange.map { $0.lowerBound..<end }
        block.isComplete = isComplete
        blocks.append(block)
        open = nil
        openLabel = []
        isInHeader = false
    }

    mutating func finish(at end: Int) { close(at: end, isComplete: false) }

    /// `MESSAGE` of `-----BEGIN PGP MESSAGE-----`, blanks behind it allowed.
    private static func label(of line: Slice<UnsafeRawBufferPointer>, after start: StaticString)
        -> [UInt8]?
    {
        guard line.count < 80, line.first == ASCII.hyphen else { return nil }
        let prefix = UnsafeRawBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount)
        guard line.starts(with: prefix) else { return nil }
        var rest = line.dropFirst(prefix.count)
        while let last = rest.last, last <= ASCII.space { rest = rest.dropLast() }
        guard rest.reversed().starts(with: "-----".utf8) else { return nil }
        return [UInt8](rest.dropLast(5))
    }

    private static func kind(_ label: [UInt8]) -> PGPArmorBlock.Kind? {
        switch String(decoding: label, as: UTF8.self) {
        case "SIGNED MESSAGE": .signedText
        case "SIGNATURE": .signature
        case "PUBLIC KEY BLOCK": .publicKey
        case "PRIVATE KEY BLOCK": .privateKey
        case let name: name == "MESSAGE" || name.hasPrefix("MESSAGE, PART ") ? .message : nil
        }
    }
}
