/// How much of a message is read. What is beyond a limit is left as it is, and a defect names the limit;
/// reading never fails.
///
/// The standard values are far above what mail in the wild has, and keep time and memory in proportion to
/// the size of the message whatever is in it.
public struct MIMELimits: Hashable, Sendable {
    // MARK: Structure

    /// How deep parts may be nested. Deeper containers are leaves.
    public var nestingDepth = 256
    /// How many parts a message may have. The rest stays in the last part.
    public var partCount = 20_000
    /// How many header fields a message may have, those of its parts included. The rest is passed over.
    public var fieldCount = 50_000
    /// Octets of one header section. The body begins behind the whole section even so.
    public var headerSizeInOctets = 8 * 1024 * 1024
    /// How many multiparts may lie in each other whose boundary is another than they say and was found in their bodies.
    public var foundBoundaryDepth = 2
    /// How many containers (a multipart, a message) may lie in each other that are themselves base64 or
    /// quoted-printable.
    public var encodedContainerDepth = 8
    /// Octets that all such containers of a message may have once they are decoded.
    public var encodedContainerSizeInOctets = 64 * 1024 * 1024

    /// How many defects of the structure are listed, and how many of one part with its fields and body.
    public var defectCount = 10_000

    // MARK: Values of header fields

    /// Octets of a field's value that are decoded.
    public var valueSizeInOctets = 1024 * 1024
    /// Addresses of one field.
    public var addressCount = 10_000
    /// How deep comments in a field may be nested.
    public var commentDepth = 64
    /// Parameters of one field; sections of a parameter count each.
    public var parameterCount = 10_000
    /// Encoded words of one field.
    public var encodedWordCount = 10_000
    /// Message IDs of one field.
    public var messageIDCount = 10_000

    // MARK: Bodies

    /// Octets of a body once it is decoded.
    public var bodySizeInOctets = 1024 * 1024 * 1024
    /// Files in one winmail.dat, or in one text that has them uuencoded or yEncoded.
    public var embeddedFileCount = 1_000

    /// How deep messages may lie in each other in one winmail.dat.
    public var tnefDepth = 16
    /// Octets of the name by which a file is saved, see `SafeFileName`.
    public var fileNameSizeInOctets = 200

    /// Pieces that a message may be cut into to be sent (`message/partial`). A piece with a higher number is none.
    public var fragmentCount = 10_000
    /// Octets of a URL by which a part is called or found, see `ContentReferences`. Longer ones name nothing.
    public var urlSizeInOctets = 4 * 1024

    /// `>` in front of a line of flowed text. More are text.
    public var quoteDepth = 256

    /// How many octets of a field's value are read; a defect says so where that is not all.
    func readableCount(of count: Int, _ defects: inout [Defect]) -> Int {
        guard count > valueSizeInOctets else { return count }
        defects.append(Defect(.limitReached, at: valueSizeInOctets, limit: "valueSizeInOctets"))
        return valueSizeInOctets
    }

    /// The standard limits.
    public static let standard = MIMELimits()

    /// The standard limits, to be changed.
    public init() {}
}
