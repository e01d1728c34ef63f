import CMartletOpenSSL
import MartletBytes
import MartletMIME

/// Verifies signatures of S/MIME. RFC 8551, RFC 8550.
///
///     let verifier = SMIMEVerifier(trusting: try SMIMECertificate.certificates(pem: authorities))
///     if message.root.smimeKind == .detachedSignature {
///         let result = try verifier.verify(message.root)
///         show(result.content, result.signers)
///     }
public struct SMIMEVerifier: Sendable {
    /// The certificates that are trusted: of authorities, or of signers themselves.
    public var trusted: [SMIMECertificate]
    /// Others that may be needed on the way from a signer to a trusted one, or where a message has not got its signer's.
    public var known: [SMIMECertificate]
    /// How much is looked at.
    public var limits: SignatureLimits

    /// A verifier that trusts `certificates`.
    public init(
        trusting certificates: [SMIMECertificate], known: [SMIMECertificate] = [],
        limits: SignatureLimits = .standard
    ) {
        trusted = certificates
        self.known = known
        self.limits = limits
    }

    /// Verifies a signed part.
    ///
    /// - Parameters:
    ///   - part: one whose `smimeKind` is `.detachedSignature`, `.signed` or `.unspecified`.
    ///   - from: who claims to have written it; the `From` of the message it is in unless given. Give it for a part that
    ///     was decrypted, since that has no `From` of its own.
    ///   - date: the time for which certificates are looked at; now unless given.
    /// - Throws: `SignatureError`, `.notCMS` where there is no signature that can be read, `.tooLarge`.
    public func verify(
        _ part: Part, from: AddressList? = nil, at date: MailDate? = nil
    ) throws(SignatureError) -> SMIMEVerification {
        let seconds = date?.secondsSinceEpoch ?? OpenSSL.secondsSinceEpoch
        let authors = from ?? Self.authors(of: part)
        guard part.smimeKind == .detachedSignature else {
            return try verify(CMS(try structure(of: part)), content: nil, authors, seconds)
        }
        var children = part.children
        guard let content = children.next(), let signature = children.next(), children.next() == nil
        else {
            throw SignatureError(.notCMS, "the signed multipart has not exactly two parts")
        }
        guard content.range.count <= limits.smimeSizeInOctets else {
            throw SignatureError(
                .tooLarge(limit: limits.smimeSizeInOctets), "the signed part is too large")
        }
        let structure = try structure(of: signature)
        let octets = content.octets[content.range]
        let result = try verify(CMS(structure), content: octets, authors, seconds)
        // A store may have changed the line ends, which were CRLF when it was signed. RFC 8551 §3.1.1.
        let isChanged = result.signers.contains { $0.problem == .contentChanged }
        guard isChanged, OctetProfile(octets).hasBareLF else { return result }
        return try verify(CMS(structure), content: canonicalLines(octets), authors, seconds)
    }

    /// The CMS structure in the body of a part.
    private func structure(of part: Part) throws(SignatureError) -> [UInt8] {
        guard part.bodyRange.count <= limits.smimeSizeInOctets else {
            throw SignatureError(
                .tooLarge(limit: limits.smimeSizeInOctets), "the S/MIME part is too large")
        }
        return part.decodedBody().value
    }

    /// `From`, if there is one such field and it can be read as a whole.
    private static func authors(of part: Part) -> AddressList {
        let message = part.enclosingMessage
        return message.header.fields("From").count == 1 ? message.from : AddressList()
    }

    // MARK: CMS

    private func verify(
        _ cms: CMS, content: [UInt8]?, _ authors: AddressList, _ seconds: Int64
    ) throws(SignatureError) -> SMIMEVerification {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let count = Int(martlet_cms_signer_count(cms.pointer))
        guard cms.type == NID_pkcs7_signed,
            OBJ_obj2nid(CMS_get0_eContentType(cms.pointer)) == NID_pkcs7_data,
            count > 0
        else { throw SignatureError(.notCMS, "the CMS structure has no signature") }
        guard count <= limits.signerCount else {
            throw SignatureError(.tooLarge(limit: limits.signerCount), "there are too many signers")
        }
        let others = try CertificateStack(known + trusted)
        CMS_set1_signers_certs(cms.pointer, others.pointer, 0)
        ERR_clear_error()
        let included = CMS_get1_certs(cms.pointer)
        defer { martlet_chain_free(included) }
        let chains = try CertificateChains(
            trusted: trusted, known: known, included: included, seconds: seconds)
        guard let out = BIO_new(BIO_s_mem()) else {
            throw .openSSL("there is no memory for the content")
        }
        defer { BIO_free(out) }
        let signers = try read(cms, content: content, to: out) { reader in
            (0..<count).map { index in
                signer(martlet_cms_signer(cms.pointer, Int32(index)), reader, chains, authors)
            }
        }
        let octets = content ?? OpenSSL.octets(of: out)
        return SMIMEVerification(signers: signers, content: Message(parsing: octets))
    }

    /// Lends a reader that has seen the whole content.
    private func read<Result>(
        _ cms: CMS, content: [UInt8]?, to out: OpaquePointer, _ body: (OpaquePointer) -> Result
    ) throws(SignatureError) -> Result {
        func run(_ detached: OpaquePointer?) throws(SignatureError) -> Result {
            guard
                let reader = martlet_cms_read_content(
                    cms.pointer, detached, detached == nil ? out : nil)
            else {
                throw SignatureError(
                    .notCMS, "the signed content cannot be read", reason: OpenSSL.takeReason())
            }
            defer { martlet_cms_reader_free(reader, detached) }
            return body(reader)
        }
        guard let content else { return try run(nil) }
        return try content.span.withUnsafeBytes { octets throws(SignatureError) in
            try OpenSSL.withBIO(octets) { bio throws(SignatureError) in try run(bio) }
        }
    }

    private func signer(
        _ signer: OpaquePointer?, _ reader: OpaquePointer, _ chains: CertificateChains,
        _ authors: AddressList
    ) -> SMIMEVerification.Signer {
        let pointer = martlet_cms_signer_certificate(signer)
        let certificate = SMIMECertificate(sharing: pointer)
        let names = authors.mailboxes
        let isComplete = authors.invalidEntries.isEmpty && !names.isEmpty
        return SMIMEVerification.Signer(
            certificate: certificate, problem: Self.problem(of: signer, pointer, reader, chains),
            matchesFrom: isComplete && names.allSatisfy { certificate?.isAbout($0) ?? false },
            signedAt: martlet_cms_signing_time(signer).map { SMIMECertificate.date($0) })
    }

    private static func problem(
        of signer: OpaquePointer?, _ certificate: OpaquePointer?, _ reader: OpaquePointer,
        _ chains: CertificateChains
    ) -> SMIMEProblem? {
        guard let certificate else { return .certificateMissing }
        guard martlet_cms_verify_attributes(signer) == 1 else { return .signatureWrong }
        guard CMS_SignerInfo_verify_content(signer, reader) == 1 else { return .contentChanged }
        let digest = martlet_cms_signer_digest(signer)
        guard strongDigests.contains(digest) else {
            return .weakDigest(OBJ_nid2ln(digest).map { String(cString: $0) } ?? "unknown")
        }
        return chains.problem(of: certificate)
    }

    private static let strongDigests: Set<Int32> = [
        NID_sha256, NID_sha384, NID_sha512, NID_sha3_256, NID_sha3_384, NID_sha3_512,
    ]
}
