import MartletBytes
import MartletMIME

/// The parts of a message as a server counts them. RFC 9051 §7.5.2 `BODYSTRUCTURE`.
///
/// It is a flat list: each part is behind the one that it is in, the message's own first.
public struct BodyStructure: Hashable, Sendable {
    /// The parts in the order of the message. There is at least one.
    public var parts: [BodyStructurePart]

    /// Makes one of parts in the order of the message.
    public init(parts: [BodyStructurePart]) { self.parts = parts }

    /// The message's own body.
    public var root: BodyStructurePart { parts[0] }

    /// The places of the parts inside of the one at `index`.
    public func children(of index: Int) -> [Int] {
        parts.indices.filter { parts[$0].parent == index }
    }

    /// Whether a part, or an envelope in it, could not be read.
    public var hasDamage: Bool {
        parts.contains { part in
            if case .damaged = part.envelope { return true }
            return part.failure != nil
        }
    }

    /// The part with a number.
    public func part(_ number: PartNumber) -> BodyStructurePart? {
        parts.first { $0.number == number && !$0.isRootOfMessage }
    }
}

/// A part of a message, as a server describes it.
public struct BodyStructurePart: Hashable, Sendable {
    /// A parameter as it came: sections and charsets of RFC 2231 stand in its name.
    public struct Parameter: Hashable, Sendable {
        /// The name, as it was written.
        public var name: String
        /// The value, as it was written.
        public var value: [UInt8]

        /// Makes one.
        public init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// `Content-Disposition` as it came.
    public struct Disposition: Hashable, Sendable {
        /// Its kind in lower case.
        public var kind: String
        /// Its parameters as they came.
        public var parameters: [Parameter]

        /// Makes one.
        public init(kind: String, parameters: [Parameter] = []) {
            self.kind = kind
            self.parameters = parameters
        }
    }

    /// Its number, by which it is fetched. A multipart that is all of a message has the number of that message, and
    /// `isRootOfMessage`.
    public var number: PartNumber
    /// The place of the part that it is in; `nil` for the message's own body.
    public var parent: Int?
    /// Whether it is a multipart that is all of the body of a message, which has no number of its own.
    public var isRootOfMessage: Bool
    /// The type in lower case, such as `text`.
    public var type: String
    /// The subtype in lower case, such as `plain`.
    public var subtype: String
    /// The parameters of `Content-Type` as they came.
    public var rawParameters: [Parameter]
    /// `Content-ID`, as it stood.
    public var contentIDOctets: [UInt8]?
    /// `Content-Description`, as it stood.
    public var descriptionOctets: [UInt8]?
    /// `Content-Transfer-Encoding` in lower case; empty where the server gave none.
    public var transferEncoding: String
    /// The octets of its body as it is encoded; `nil` for a multipart, whose size is not told.
    public var sizeInOctets: UInt64?
    /// The lines of its body, for text and messages.
    public var lineCount: UInt64?
    /// The envelope of the message that it is.
    public var envelope: Damageable<MessageEnvelope>?
    /// `Content-MD5`.
    public var md5: [UInt8]?
    /// `Content-Disposition` as it came.
    public var rawDisposition: Disposition?
    /// `Content-Language`.
    public var languages: [String]
    /// `Content-Location`, as it stood.
    public var locationOctets: [UInt8]?
    /// What stands behind all of that, as it came; of a part that is nested too deep or could not be read, all of it.
    public var extensionOctets: [UInt8]
    /// Where reading of this part stopped; its other values are then what could be read.
    public var failure: ParseFailure?

    /// Makes a part.
    public init(number: PartNumber, parent: Int? = nil, type: String, subtype: String) {
        self.number = number
        self.parent = parent
        isRootOfMessage = false
        self.type = type
        self.subtype = subtype
        rawParameters = []
        transferEncoding = ""
        languages = []
        extensionOctets = []
    }
}
