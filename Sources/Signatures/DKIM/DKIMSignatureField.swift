import MartletBytes

/// A `DKIM-Signature` field while it is made. RFC 6376 §3.5, §5.
struct DKIMSignatureField {
    /// Lines are folded before they are longer, in octets. RFC 5322 §2.1.1.
    private static let lineLimit = 76

    private let signer: DKIMSigner
    private let header: HeaderSection
    private let names: [String]
    private var text: [UInt8] = []
    private var lineStart = 0

    init(
        _ signer: DKIMSigner, _ header: HeaderSection, bodyHash: [UInt8], seconds: Int64
    ) throws(SignatureError) {
        self.signer = signer
        self.header = header
        try Self.check(header)
        names = try Self.names(signer, header)
        let canonicalizations =
            signer.headerCanonicalization.rawValue + "/" + signer.bodyCanonicalization.rawValue
        append("DKIM-Signature: v=1;")
        append("a=\(signer.key.algorithm.rawValue);")
        append("c=\(canonicalizations);")
        append("d=\(signer.domain);")
        append("s=\(signer.selector);")
        append("t=\(seconds);")
        if let validity = signer.validity {
            guard validity >= .seconds(1) else {
                throw SignatureError(
                    .invalidParameter, "a signature must be good for at least a second")
            }
            let (end, isTooLong) = seconds.addingReportingOverflow(validity.components.seconds)
            append("x=\(isTooLong ? Int64.max : end);")
        }
        if let identity = signer.identity { append("i=\(try Self.checked(identity, of: signer));") }
        for (index, name) in names.enumerated() {
            append(
                (index == 0 ? "h=" : "") + name + (index == names.count - 1 ? ";" : ":"),
                blank: index == 0)
        }
        append("bh=" + String(decoding: Base64.encode(bodyHash), as: UTF8.self) + ";")
        append("b=")
    }

    private static func check(_ header: HeaderSection) throws(SignatureError) {
        let problem: String
        switch header.problem {
        case .lineWithoutField(let offset):
            problem = "a line of the header, at octet \(offset), is no field"
        case .bareCR(let offset): problem = "the header has a CR without LF at octet \(offset)"
        case .tooManyFields: problem = "the header has too many fields"
        case .tooLarge: problem = "the header is too large"
        case nil:
            guard header.fromCount != 1 else { return }
            problem =
                header.fromCount == 0
                ? "the message has no From, which must be signed"
                : "the message has more than one From, so that nobody takes its signature"
        }
        throw SignatureError(.invalidHeader, problem)
    }

    /// The names for `h=`, each as often as it is to be taken.
    private static func names(
        _ signer: DKIMSigner, _ header: HeaderSection
    ) throws(SignatureError) -> [String] {
        let counts = header.fields.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        var seen: Set<[UInt8]> = []
        var oversigned: Set<[UInt8]> = [Array("from".utf8)]
        for name in signer.oversignedFields { oversigned.insert(name.utf8.map(\.lowercased)) }
        var names: [String] = []
        for name in ["From"] + signer.fields + signer.oversignedFields {
            let folded = name.utf8.map(\.lowercased)
            guard seen.insert(folded).inserted else { continue }
            guard isFieldName(name), !DKIMSigner.unsignableFields.contains(name.asciiLowercased)
            else {
                throw SignatureError(
                    .invalidParameter, "the field \u{201C}\(name)\u{201D} cannot be signed")
            }
            let count = (counts[folded] ?? 0) + (oversigned.contains(folded) ? 1 : 0)
            names += repeatElement(name, count: count)
        }
        return names
    }

    /// A name that needs no encoding in `h=`: RFC 6376 §3.5 takes `;` and `:` for ends.
    private static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 76
            && name.utf8.allSatisfy {
                $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: ":")
                    && $0 != UInt8(ascii: ";")
            }
    }

    private static func checked(_ identity: String, of signer: DKIMSigner) throws(SignatureError)
        -> String
    {
        // What else a local part may have needs an encoding of its own (dkim-quoted-printable).
        let isPlain = identity.utf8.allSatisfy {
            $0 > ASCII.space && $0 != ASCII.del && $0 != UInt8(ascii: ";") && $0 != ASCII.equals
        }
        guard isPlain, identity.utf8.count(where: { $0 == UInt8(ascii: "@") }) == 1,
            DKIMIdentity(identity)?.isOf(signer.domain) ?? false
        else {
            throw SignatureError(
                .invalidParameter,
                "the identity must be an address, or \u{201C}@\u{201D} and a domain, of the signing domain"
            )
        }
        return identity
    }

    // MARK: Writing

    /// Appends a word, on a new line if this one would get too long.
    private mutating func append(_ word: String, blank: Bool = true) {
        let isFirst = text.isEmpty
        if !isFirst, text.count - lineStart + word.utf8.count + (blank ? 1 : 0) > Self.lineLimit {
            fold()
        } else if !isFirst, blank {
            text.append(ASCII.space)
        }
        text += word.utf8
    }

    private mutating func fold() {
        text += [ASCII.cr, ASCII.lf, ASCII.space]
        lineStart = text.count - 1
    }

    /// Signs: the whole field with its CRLF.
    func octets() throws(SignatureError) -> [UInt8] {
        // The field as it stands now, without the signature, as the last of the header.
        let section = HeaderSection(text, fieldLimit: 1)
        guard let own = section.fields.first else { throw .openSSL("the signature cannot be made") }
        let canonicalizer = HeaderCanonicalizer(canonicalization: signer.headerCanonicalization)
        var canonical: [UInt8] = []
        for field in FieldSelection(header).fields(names.map { $0.utf8.map(\.lowercased) }) {
            canonicalizer.append(field, of: header, to: &canonical)
        }
        canonicalizer.append(own, of: section.octets, without: nil, to: &canonical)
        let signature = Base64.encode(try signer.key.sign(SHA256.digest(of: canonical)))
        var field = self
        for octet in signature {
            if field.text.count - field.lineStart >= Self.lineLimit { field.fold() }
            field.text.append(octet)
        }
        return field.text + [ASCII.cr, ASCII.lf]
    }
}
