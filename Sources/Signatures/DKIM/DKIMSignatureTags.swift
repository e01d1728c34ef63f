import MartletBytes

/// A `DKIM-Signature` field, checked. RFC 6376 §3.5, §6.1.1.
struct DKIMSignatureTags: Sendable {
    var tags: SignatureTags
    /// `i=`: on whose behalf the domain signs; `@` and the domain unless told.
    var identity: DKIMIdentity

    init(
        _ field: HeaderSection.Field, of header: HeaderSection, limits: SignatureLimits
    ) throws(DKIMProblem) {
        let list = try SignatureTags.list(of: field, in: header, limits: limits)
        guard let version = list.text("v") else { throw .missingTag("v") }
        guard version == "1" else { throw .unknownVersion }
        tags = try SignatureTags(list)
        let text = list.packed("i").map { String(decoding: $0, as: UTF8.self) }
        guard let identity = DKIMIdentity(text ?? "@" + tags.domain) else {
            throw .malformedTag("i")
        }
        guard identity.isOf(tags.domain) else { throw .foreignIdentity }
        self.identity = identity
    }
}
