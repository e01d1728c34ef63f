import MartletBytes

/// The fields that are signed, and how: what `DKIM-Signature` (RFC 6376 §3.5) and `ARC-Message-Signature`
/// (RFC 8617 §4.1.2) have in common, checked.
struct SignatureTags: Sendable {
    var algorithm: DKIMAlgorithm
    var headerCanonicalization: Canonicalization
    var bodyCanonicalization: Canonicalization
    var domain: String
    var selector: String
    /// Lower case, in their order.
    var signedFields: [[UInt8]]
    var bodyHash: [UInt8]
    var signature: [UInt8]
    /// Where the value of `b=` is in the header section.
    var signatureRange: Range<Int>
    /// `l=`; a count that no body has becomes `Int.max`.
    var bodyLength: Int?
    var signedAt: Int64?
    var expiresAt: Int64?

    init(_ list: TagList) throws(DKIMProblem) {
        algorithm = try Self.algorithm(in: list)
        guard let hash = list.packed("bh") else { throw .missingTag("bh") }
        guard let hash = Base64.decode(hash), hash.count == SHA256.size else {
            throw .malformedTag("bh")
        }
        bodyHash = hash
        (signature, signatureRange) = try Self.signature(in: list)
        (domain, selector) = try Self.signer(in: list)
        (headerCanonicalization, bodyCanonicalization) = try Self.canonicalizations(in: list)
        guard let names = list.items("h") else { throw .missingTag("h") }
        signedFields = names.map { $0.map(\.lowercased) }
        guard signedFields.allSatisfy({ !$0.isEmpty }) else { throw .malformedTag("h") }
        guard signedFields.contains(where: { $0.elementsEqual("from".utf8) }) else {
            throw .fromNotSigned
        }
        bodyLength = try Self.number("l", in: list).map { Int(clamping: $0) }
        signedAt = try Self.number("t", in: list)
        expiresAt = try Self.number("x", in: list)
        if let signedAt, let expiresAt, expiresAt <= signedAt { throw .malformedTag("x") }
        if let methods = list.items("q"),
            !methods.contains(where: {
                $0.elementsEqual("dns/txt".utf8) || $0.elementsEqual("dns".utf8)
            })
        {
            throw .unknownQueryMethod
        }
    }

    /// Whether `x=` was before `now`, in seconds since 1 January 1970.
    func isExpired(at now: Int64) -> Bool { expiresAt.map { $0 < now } ?? false }

    static func list(
        of field: HeaderSection.Field, in header: HeaderSection, limits: SignatureLimits
    ) throws(DKIMProblem) -> TagList {
        guard field.valueRange.count <= limits.signatureSizeInOctets else {
            throw .tooLong(limit: limits.signatureSizeInOctets)
        }
        return try TagList(header.octets, in: field.valueRange, limit: limits.tagCount)
    }

    static func algorithm(in list: TagList) throws(DKIMProblem) -> DKIMAlgorithm {
        guard let name = list.text("a") else { throw .missingTag("a") }
        guard let algorithm = DKIMAlgorithm(rawValue: name.asciiLowercased) else {
            throw name.asciiLowercased == "rsa-sha1" ? .obsoleteAlgorithm : .unknownAlgorithm
        }
        return algorithm
    }

    static func signature(
        in list: TagList
    ) throws(DKIMProblem) -> (octets: [UInt8], range: Range<Int>) {
        guard let tag = list["b"], let text = list.packed("b") else { throw .missingTag("b") }
        guard let octets = Base64.decode(text), !octets.isEmpty else { throw .malformedTag("b") }
        return (octets, tag.span)
    }

    /// `d=` and `s=`, fit for a look-up.
    static func signer(in list: TagList) throws(DKIMProblem) -> (domain: String, selector: String) {
        guard let domain = list.text("d") else { throw .missingTag("d") }
        guard let selector = list.text("s") else { throw .missingTag("s") }
        guard isDomain(domain) else { throw .malformedTag("d") }
        guard isDomain(selector) else { throw .malformedTag("s") }
        return (domain, selector)
    }

    private static func canonicalizations(
        in list: TagList
    ) throws(DKIMProblem) -> (header: Canonicalization, body: Canonicalization) {
        guard let text = list.text("c") else { return (.simple, .simple) }
        let names = text.asciiLowercased.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= 2, let header = Canonicalization(rawValue: String(names[0])),
            let body = names.count == 2 ? Canonicalization(rawValue: String(names[1])) : .simple
        else { throw .unknownCanonicalization }
        return (header, body)
    }

    /// A number of up to 76 digits; one that is too large becomes the largest.
    static func number(_ name: String, in list: TagList) throws(DKIMProblem) -> Int64? {
        guard let digits = list.packed(name) else { return nil }
        guard !digits.isEmpty, digits.count <= 76, digits.allSatisfy(\.isDigit) else {
            throw .malformedTag(name)
        }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    /// Labels of letters, digits, hyphens and underscores, or UTF-8 (RFC 8616); 253 octets in all.
    static func isDomain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty && label.count <= 63
                    && label.allSatisfy {
                        $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == UInt8(ascii: "_")
                            || $0 >= 0x80
                    }
            }
    }
}
