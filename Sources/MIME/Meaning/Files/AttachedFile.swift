import MartletBytes

/// A file that came with a message: an attachment, an image within the text, a message that was sent along, a file in a
/// `winmail.dat` or one that is uuencoded or yEncoded in the text.
public struct AttachedFile: Sendable {
    enum Content: Sendable {
        case body
        case octets([UInt8])
        case tnef(TNEF, TNEF.File)
    }

    /// The part that the file is, or in which it was found.
    public let part: Part
    /// The name that the sender gave the file, decoded: any text, perhaps with a path in it. `nil` without one.
    public let name: String?
    /// A name to save the file by: see `SafeFileName`. Different from that of every other file of the message, also
    /// where case does not count.
    public internal(set) var safeName: String
    /// The media type as the sender wrote it.
    public let type: ContentTypeField
    /// What the texts call the file by, without angle brackets; `nil` without one. RFC 2392.
    public let contentID: String?
    /// Whether the file is shown within the text rather than beside it.
    public let isInline: Bool
    let content: Content

    /// Whether the file was found inside of a part and is no part itself: in a `winmail.dat` or in a text.
    public var isUnpacked: Bool {
        if case .body = content { return false }
        return true
    }

    /// Calls `sink` with the octets of the file, decoded, piece by piece; see `Part.decodeBody`.
    ///
    /// - Returns: what is wrong with the encoding.
    @discardableResult
    public func read<Failure: Error>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [Defect] {
        switch content {
        case .body: return try part.decodeBody(to: sink)
        case .octets(let octets): try octets.span.withUnsafeBytes(sink)
        case .tnef(let tnef, let file):
            try tnef.octets.withUnsafeBytes { (octets) throws(Failure) in
                try sink(UnsafeRawBufferPointer(rebasing: octets[file.range]))
            }
        }
        return []
    }

    /// The octets of the file, decoded, as a whole.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        read { octets.append(contentsOf: $0) }
        return octets
    }

    /// How many octets the file has; an encoded one is decoded for that.
    public var sizeInOctets: Int {
        switch content {
        case .body: part.decodedSizeInOctets
        case .octets(let octets): octets.count
        case .tnef(_, let file): file.range.count
        }
    }

    /// How many octets the file takes in the message, at most.
    public var encodedSizeInOctets: Int { part.bodyRange.count }
}

extension Message {
    /// The files that came with the message, in their order; see `Part.attachedFiles(unpacking:)`.
    public var attachedFiles: [AttachedFile] { root.attachedFiles() }
}
