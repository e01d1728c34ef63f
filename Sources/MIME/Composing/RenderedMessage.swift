import MartletBytes

/// A composed message, ready to be sent: canonical CRLF, ended by CRLF, no line over 998 octets.
///
/// Its size is known before an attachment is read, and reading it takes bounded memory.
public struct RenderedMessage: OctetSource {
    enum Segment: Sendable {
        case octets([UInt8])
        case base64(any OctetSource, name: String)
        case message(Octets)
    }

    /// The exact number of octets.
    public let sizeInOctets: Int
    /// Whether the body has 8-bit octets, so that the server must offer 8BITMIME.
    public let needs8BitMIME: Bool
    /// Whether the header is UTF-8, so that the server must offer SMTPUTF8.
    public let needsSMTPUTF8: Bool

    private let segments: [Segment]

    init(segments: [Segment], needs8BitMIME: Bool, needsSMTPUTF8: Bool) {
        self.segments = segments
        self.needs8BitMIME = needs8BitMIME
        self.needsSMTPUTF8 = needsSMTPUTF8
        sizeInOctets = segments.reduce(0) { size, segment in
            switch segment {
            case .octets(let octets): size + octets.count
            case .message(let octets): size + octets.count
            case .base64(let source, _):
                size + Base64LineEncoder.encodedSize(of: source.sizeInOctets)
            }
        }
    }

    /// All octets, unless an attachment is still to be read.
    public var octetsInMemory: [UInt8]? {
        guard segments.count == 1, case .octets(let octets) = segments[0] else { return nil }
        return octets
    }

    /// Starts reading from the first octet. Attachments are opened when their turn comes.
    ///
    /// The reader throws `CompositionError` when an attachment cannot be read, or has another size
    /// than it had told: the message must not be sent then.
    public func makeReader() -> any OctetReader { RenderedMessageReader(segments: segments) }
}

private struct RenderedMessageReader: OctetReader {
    /// The most octets of an attachment that are read at once: a whole number of base64 lines.
    static let pieceLimit = Base64LineEncoder.octetsPerLine * 1_024

    private var segments: ArraySlice<RenderedMessage.Segment>
    // Made but not handed out yet.
    private var ready: ArraySlice<UInt8> = []
    private var attachment: AttachmentReader?
    private var message: (any OctetReader)?

    init(segments: [RenderedMessage.Segment]) { self.segments = segments[...] }

    mutating func read(atMost limit: Int) async throws -> [UInt8] {
        precondition(limit > 0, "a reader is asked for at least one octet")
        while ready.isEmpty {
            if attachment != nil {
                ready = try await readAttachment(limit: limit)
                continue
            }
            if message != nil {
                ready = try await message?.read(atMost: min(limit, Self.pieceLimit))[...] ?? []
                if !ready.isEmpty { continue }
                message = nil
            }
            switch segments.popFirst() {
            case nil: return []
            case .octets(let octets): ready = octets[...]
            case .message(let octets): message = octets.makeReader()
            case .base64(let source, let name):
                attachment = try AttachmentReader(source, name: name)
            }
        }
        let piece = ready.prefix(limit)
        ready = ready.dropFirst(limit)
        return [UInt8](piece)
    }

    private mutating func readAttachment(limit: Int) async throws -> ArraySlice<UInt8> {
        let lines = max(limit / Base64LineEncoder.lineSize, 1)
        let (size, overflow) = lines.multipliedReportingOverflow(
            by: Base64LineEncoder.octetsPerLine)
        let encoded = try await attachment?.read(
            atMost: overflow ? Self.pieceLimit : min(size, Self.pieceLimit))
        guard let encoded else {
            attachment = nil
            return []
        }
        return encoded[...]
    }
}

/// Reads an attachment and encodes it, and makes sure that it has the size it told.
private struct AttachmentReader {
    private let expected: Int
    private let field: String
    private var reader: any OctetReader
    private var encoder = Base64LineEncoder()
    private var found = 0

    init(_ source: any OctetSource, name: String) throws(CompositionError) {
        expected = source.sizeInOctets
        field = "Attachment \(name)"
        do {
            reader = try source.makeReader()
        } catch {
            throw CompositionError(.unreadable, field: field, underlying: error)
        }
    }

    /// The next encoded octets (maybe none, while a line fills), or `nil` at the end.
    mutating func read(atMost limit: Int) async throws(CompositionError) -> [UInt8]? {
        let octets: [UInt8]
        do {
            octets = try await reader.read(atMost: limit)
        } catch let error as CompositionError {
            throw error
        } catch {
            throw CompositionError(.unreadable, field: field, underlying: error)
        }
        var encoded: [UInt8] = []
        if octets.isEmpty {
            guard found == expected else {
                throw CompositionError(
                    .contentShrank(expected: expected, found: found), field: field)
            }
            encoder.finish(into: &encoded)
            return encoded.isEmpty ? nil : encoded
        }
        found += octets.count
        guard found <= expected else {
            throw CompositionError(.contentGrew(expected: expected), field: field)
        }
        encoded.reserveCapacity(Base64LineEncoder.encodedSize(of: octets.count + 57))
        encoder.encode(octets, into: &encoded)
        return encoded
    }
}
