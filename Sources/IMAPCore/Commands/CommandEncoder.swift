import MartletBytes

/// What goes to a server, piece by piece.
public enum CommandPiece: Sendable {
    /// Octets to write. `secrets` are the ranges of them that no log may show.
    case octets([UInt8], secrets: [Range<Int>])
    /// Nothing more may be written until the server says `+`. RFC 9051 §4.3.
    case waitForContinuation
    /// The octets of a source, as they are, to be pulled and written.
    case source(any OctetSource)
}

/// How literals may be sent.
public enum LiteralSupport: Hashable, Sendable {
    /// Each literal waits for the server. RFC 9051 §4.3.
    case synchronizing
    /// Those of up to 4096 octets need not wait. RFC 7888 `LITERAL-`, and IMAP4rev2.
    case minus
    /// None has to wait. RFC 7888 `LITERAL+`.
    case plus

    func waits(for size: Int) -> Bool {
        switch self {
        case .synchronizing: true
        case .minus: size > 4096
        case .plus: false
        }
    }
}

/// Writes a command in the form that its server takes. RFC 9051 §4, §9.
public struct CommandEncoder: Sendable {
    /// How literals may be sent.
    public let literals: LiteralSupport
    /// Whether strings may be UTF-8 outside of literals: after `ENABLE UTF8=ACCEPT` or IMAP4rev2. RFC 6855.
    public let isUTF8: Bool
    /// What the server offers; commands choose their form by it.
    public let capabilities: Capabilities
    /// What was switched on with ENABLE.
    public let enabled: Set<Capability>
    /// The finished pieces.
    private(set) var pieces: [CommandPiece] = []
    private var octets: [UInt8] = []
    private var secrets: [Range<Int>] = []

    /// Makes an empty one.
    public init(
        capabilities: Capabilities = Capabilities(), enabled: Set<Capability> = [],
        literals: LiteralSupport? = nil
    ) {
        self.capabilities = capabilities
        self.enabled = enabled
        self.literals =
            literals
            ?? (capabilities.has(.literalPlus)
                ? .plus : capabilities.has(.literalMinus) ? .minus : .synchronizing)
        isUTF8 = enabled.contains(.utf8Accept) || enabled.contains(.imap4rev2)
    }

    /// The longest string that is written in quotes, in octets; a longer one is a literal.
    public static let quotedLimitInOctets = 1_000

    /// The largest message that is sent without waiting for the server where it may be refused, in octets.
    public static let eagerLimitInOctets = 64 << 10

    /// Takes everything out.
    package mutating func finish() -> [CommandPiece] {
        flush()
        defer { pieces = [] }
        return pieces
    }

    private mutating func flush() {
        guard !octets.isEmpty else { return }
        pieces.append(.octets(octets, secrets: secrets))
        octets = []
        secrets = []
    }

    // MARK: Words

    /// Words of the command's own, as they are.
    public mutating func text(_ text: StaticString) {
        text.withUTF8Buffer { octets.append(contentsOf: $0) }
    }

    /// A blank.
    public mutating func space() { octets.append(ASCII.space) }

    /// `(`, what `body` writes, `)`.
    public mutating func list<Failure: Error>(
        _ body: (inout CommandEncoder) throws(Failure) -> Void
    ) throws(Failure) {
        octets.append(UInt8(ascii: "("))
        try body(&self)
        octets.append(UInt8(ascii: ")"))
    }

    /// `(`, the elements with blanks between them, `)`.
    public mutating func list<Element, Failure: Error>(
        _ elements: some Sequence<Element>,
        _ write: (inout CommandEncoder, Element) throws(Failure) -> Void
    ) throws(Failure) {
        octets.append(UInt8(ascii: "("))
        try words(elements, write)
        octets.append(UInt8(ascii: ")"))
    }

    /// The elements with blanks between them.
    public mutating func words<Element, Failure: Error>(
        _ elements: some Sequence<Element>,
        _ write: (inout CommandEncoder, Element) throws(Failure) -> Void
    ) throws(Failure) {
        var isFirst = true
        for element in elements {
            if !isFirst { space() }
            isFirst = false
            try write(&self, element)
        }
    }

    /// A number in digits.
    public mutating func number(_ number: some FixedWidthInteger & UnsignedInteger) {
        octets.append(decimal: number)
    }

    /// A set of message numbers. It must not be empty.
    public mutating func set(_ set: MessageNumberSet<some MessageNumber>) {
        precondition(!set.isEmpty, "an empty set cannot be sent")
        set.encode(into: &octets)
    }

    /// Octets that are known to be right here, such as an atom that was checked when its value was made.
    package mutating func raw(_ raw: some Sequence<UInt8>) { octets.append(contentsOf: raw) }

    // MARK: Strings

    /// A string as an atom where it can be one, else in quotes, else as a literal. RFC 9051 §9 `astring`.
    public mutating func astring(_ string: some Collection<UInt8>) {
        let isAtom =
            !string.isEmpty && string.count <= Self.quotedLimitInOctets
            && string.allSatisfy { $0.isAtomOctet || $0 == UInt8(ascii: "]") }
            && !string.equalsIgnoringCase("NIL".utf8)
        if isAtom { raw(string) } else { self.string(string) }
    }

    /// A string in quotes where it can be, else as a literal. RFC 9051 §9 `string`.
    public mutating func string(_ string: some Collection<UInt8>) {
        guard canBeQuoted(string) else { return literal(Array(string)) }
        octets.append(ASCII.quote)
        for octet in string {
            if octet == ASCII.quote || octet == ASCII.backslash { octets.append(ASCII.backslash) }
            octets.append(octet)
        }
        octets.append(ASCII.quote)
    }

    private func canBeQuoted(_ string: some Collection<UInt8>) -> Bool {
        guard string.count <= Self.quotedLimitInOctets else { return false }
        var isASCII = true
        for octet in string {
            if octet == ASCII.nul || octet.isLineBreak { return false }
            if octet >= 0x80 { isASCII = false }
        }
        return isASCII || isUTF8 && String(validating: string, as: UTF8.self) != nil
    }

    /// A string, or NIL.
    public mutating func nstring(_ string: (some Collection<UInt8>)?) {
        if let string { self.string(string) } else { text("NIL") }
    }

    /// The name of a mailbox.
    public mutating func mailbox(_ name: MailboxName) { astring(name.octets(isUTF8: isUTF8)) }

    /// A flag or keyword; the caller has seen that it is well-formed.
    public mutating func flag(_ flag: MessageFlag) { raw(flag.rawValue.utf8) }

    // MARK: Literals

    /// Octets as a literal. RFC 9051 §4.3.
    public mutating func literal(_ content: [UInt8]) {
        announce(content.count, isBinary: content.contains(ASCII.nul))
        octets.append(contentsOf: content)
    }

    /// A source as a literal; it is pulled while it is written.
    ///
    /// - Parameters:
    ///   - isBinary: as `~{n}`, which may hold NUL. RFC 3516 §4.4.
    ///   - mayBeRefused: whether the server may not want it. Then one of more than `eagerLimitInOctets` waits in any case: a
    ///     refusal costs a round trip, not an upload.
    public mutating func literal(
        _ source: any OctetSource, isBinary: Bool = false, mayBeRefused: Bool = false
    ) {
        let size = source.sizeInOctets
        announce(size, isBinary: isBinary, waits: mayBeRefused && size > Self.eagerLimitInOctets)
        flush()
        pieces.append(.source(source))
    }

    private mutating func announce(_ size: Int, isBinary: Bool, waits: Bool = false) {
        if isBinary { octets.append(UInt8(ascii: "~")) }
        octets.append(UInt8(ascii: "{"))
        octets.append(decimal: UInt(size))
        let waits = waits || literals.waits(for: size)
        if !waits { octets.append(UInt8(ascii: "+")) }
        octets.append(contentsOf: [UInt8(ascii: "}"), ASCII.cr, ASCII.lf])
        guard waits else { return }
        flush()
        pieces.append(.waitForContinuation)
    }

    // MARK: Secrets

    /// A secret string, which no log shows.
    public mutating func secret(_ secret: Secret) {
        secret.withOctets { content in
            let content = UnsafeRawBufferPointer(content)
            if canBeQuoted(content) {
                let start = octets.count
                string(content)
                secrets.append(start..<octets.count)
            } else {
                announce(content.count, isBinary: false)
                let start = octets.count
                octets.append(contentsOf: content)
                secrets.append(start..<octets.count)
            }
        }
    }

    /// Octets as they are, which no log shows.
    package mutating func secret(raw content: some Sequence<UInt8>) {
        let start = octets.count
        octets.append(contentsOf: content)
        secrets.append(start..<octets.count)
    }
}

extension CommandEncoder {
    /// Throws `.unsupported` where the server does not offer `capability`.
    public func require(_ capability: Capability) throws(IMAPError) {
        guard capabilities.has(capability) else { throw IMAPError(kind: .unsupported(capability)) }
    }
}
