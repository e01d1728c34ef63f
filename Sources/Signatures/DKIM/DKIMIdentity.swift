import MartletBytes

/// On whose behalf a domain signs, `i=`: an address, or `@` and a domain. RFC 6376 §3.5.
struct DKIMIdentity: Sendable {
    /// As it stands.
    let text: String
    /// The domain, in lower case.
    let domain: String

    /// `nil` if there is no domain name behind the last `@`.
    init?(_ text: String) {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let domain = String(text[text.utf8.index(after: at)...])
        guard SignatureTags.isDomain(domain) else { return nil }
        self.text = text
        self.domain = domain.asciiLowercased
    }

    /// Whether the identity is of `signer`, or of a domain below it.
    func isOf(_ signer: String) -> Bool {
        // Octets are compared: equal characters can be different names.
        let (own, signer) = (Array(domain.utf8), Array(signer.asciiLowercased.utf8))
        return own == signer || own.reversed().starts(with: (Array(".".utf8) + signer).reversed())
    }
}
