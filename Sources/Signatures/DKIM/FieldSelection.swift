/// Finds the header fields that `h=` names: each name takes the lowest field of that name that was not taken yet.
/// RFC 6376 §5.4.2.
struct FieldSelection {
    private let header: HeaderSection
    private let indices: [[UInt8]: [Int]]

    init(_ header: HeaderSection) {
        self.header = header
        var indices: [[UInt8]: [Int]] = [:]
        for (index, field) in header.fields.enumerated() {
            indices[field.name, default: []].append(index)
        }
        self.indices = indices
    }

    /// The fields in the order of `names`, which are in lower case. A name without a field left gives none.
    ///
    /// - Parameter own: the signature itself, which signs no copy of itself.
    func fields(_ names: [[UInt8]], except own: Int? = nil) -> [HeaderSection.Field] {
        var rest: [[UInt8]: ArraySlice<Int>] = [:]
        var fields: [HeaderSection.Field] = []
        for name in names {
            guard let all = indices[name] else { continue }
            var left = rest[name] ?? all[...]
            // Empty while it is changed, so that nothing is copied.
            rest[name] = []
            while let index = left.popLast() {
                if index == own { continue }
                fields.append(header.fields[index])
                break
            }
            rest[name] = left
        }
        return fields
    }

    /// Whether header and body are as they were signed.
    ///
    /// - Returns: how many canonical octets of the body behind `l=` are not signed.
    func check(
        _ tags: SignatureTags, of signature: Int, by key: DKIMKeyRecord, _ bodies: BodyDigests
    ) throws(DKIMProblem) -> Int {
        let unsigned = try bodies.check(tags)
        guard key.key.verifies(tags.signature, of: digest(tags, of: signature)) else {
            throw .headerChanged
        }
        return unsigned
    }

    /// The digest of the fields that a signature names, and of the signature itself without its value.
    private func digest(_ tags: SignatureTags, of signature: Int) -> [UInt8] {
        let canonicalizer = HeaderCanonicalizer(canonicalization: tags.headerCanonicalization)
        var canonical: [UInt8] = []
        for field in fields(tags.signedFields, except: signature) {
            canonicalizer.append(field, of: header, to: &canonical)
        }
        canonicalizer.append(
            header.fields[signature], of: header.octets, without: tags.signatureRange,
            to: &canonical)
        return SHA256.digest(of: canonical)
    }
}
