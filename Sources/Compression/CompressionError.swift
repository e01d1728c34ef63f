/// Why octets cannot be compressed or expanded.
public struct CompressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// What came is no DEFLATE, or is damaged: close the connection.
        case damaged
        /// Octets came behind the end of the compressed ones: close the connection.
        case dataAfterEnd
        /// More came than was taken: call `Inflater.next` until it gives nothing before feeding more.
        case tooMuchInput
        /// zlib has no memory.
        case noMemory
    }

    /// What happened.
    public let kind: Kind
    /// zlib's words, if it said some.
    public let detail: String

    init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    /// One sentence for a person.
    public var description: String {
        switch kind {
        case .damaged:
            "the compressed octets are damaged" + (detail.isEmpty ? "" : ": \(detail)") + "."
        case .dataAfterEnd: "there are octets behind the end of the compressed ones."
        case .tooMuchInput: "more compressed octets were fed than are kept."
        case .noMemory: "there is no memory for compression."
        }
    }
}
