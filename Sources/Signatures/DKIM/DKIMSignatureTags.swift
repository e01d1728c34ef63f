import MartletBytes

/// A `DKIM-Signature` field, checked. RFC 6376 §3.5, §6.1.1.
struct DKIMSignatureTags: Sendable {
    var tags: SignatureTags
    /// `i=`: on whose behalf the domain signs; `@` and the domain unless told.
    var identity: String

    init(
        _ field: HeaderSection.Field, of header: HeaderSection, limits: SignatureLimits
    ) throws(DKIMProblem) {
        let list = try SignatureTags.list(of: field, in: header, limits: limits)
        guard let version = list.text("v") else { throw .missingTag("v") }
        guard version == "1" else { throw .unknownVersion }
        tags = try SignatureTags(field, of: header, limits: limits)
        identity = list.text("i") ?? "@" + tags.domain
        guard let at = identity.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            throw .malformedTag("i")
        }
        let domain = identity[identity.utf8.index(after: at)...].lowercased()
        let signer = tags.domain.lowercased()
        guard domain == signer || domain.hasSuffix("." + signer) else { throw .foreignIdentity }
    }

    /// The domain of the identity, in lower case.
    var identityDomain: String {
        identity.split(separator: "@").last.map { $0.lowercased() } ?? ""
    }
}
