import CMartletOpenSSL
import MartletCrypto
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
        let authors = from ?? authors(of: part)
        guard part.smimeKind == .detachedSignature else {
            return try verify(try cms(of: part), content: nil, authors, seconds)
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
        let cms = try cms(of: signature)
        let octets = content.octets[content.range]
        let result = try verify(cms, content: octets, authors, seconds)
        // A store may have changed the line ends, which were CRLF when it was signed. RFC 8551 §3.1.1.
        let isChanged = result.signers.contains { $0.problem == .contentChanged }
        guard isChanged, OctetProfile(octets).hasBareLF else { return result }
        return try verify(cms, content: canonicalLines(octets), authors, seconds)
    }

    /// The CMS structure in the body of a part.
    private func cms(of part: Part) throws(SignatureError) -> CMS {
        guard part.bodyRange.count <= limits.smimeSizeInOctets else {
            throw SignatureError(
                .tooLarge(limit: limits.smimeSizeInOctets), "the S/MIME part is too large")
        }
        return try CMS(part.decodedBody().value, limits: limits)
    }

    /// The authors of the message that a part is in, if all readers see the same ones in it.
    private func authors(of part: Part) -> AddressList {
        let message = part.enclosingMessage
        let header = MessageReading.header(of: message.octets, in: message.range, limits: limits)
            .header
        guard header.isReliable,
            let from = header.fields.first(where: { $0.name.elementsEqual("from".utf8) })
        else { return AddressList() }
        let list = AddressList.parse(header.value(of: from))
        // There may be more authors than were read.
        return list.defects.contains { $0.kind == .limitReached } ? AddressList() : list.value
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
        guard let octets = content ?? cms.content else {
            throw SignatureError(.notCMS, "the CMS structure has no content")
        }
        var digests = ContentDigests(octets)
        let signers = (0..<count).map { index in
            signer(martlet_cms_signer(cms.pointer, Int32(index)), &digests, chains, authors)
        }
        return SMIMEVerification(signers: signers, content: Message(parsing: octets))
    }

    private func signer(
        _ signer: OpaquePointer?, _ digests: inout ContentDigests, _ chains: CertificateChains,
        _ authors: AddressList
    ) -> SMIMEVerification.Signer {
        let pointer = martlet_cms_signer_certificate(signer)
        let certificate = SMIMECertificate(sharing: pointer)
        let names = authors.mailboxes
        let isComplete = authors.invalidEntries.isEmpty && !names.isEmpty
        return SMIMEVerification.Signer(
            certificate: certificate, problem: Self.problem(of: signer, pointer, &digests, chains),
            matchesFrom: isComplete && names.allSatisfy { certificate?.isAbout($0) ?? false },
            signedAt: martlet_cms_signing_time(signer).map { SMIMECertificate.date($0) })
    }

    private static func problem(
        of signer: OpaquePointer?, _ certificate: OpaquePointer?, _ digests: inout ContentDigests,
        _ chains: CertificateChains
    ) -> SMIMEProblem? {
        guard let certificate else { return .certificateMissing }
        let algorithm = martlet_cms_signer_digest(signer)
        guard strongDigests.contains(algorithm) else {
            return .weakDigest(OBJ_nid2ln(algorithm).map { String(cString: $0) } ?? "unknown")
        }
        guard CMS_signed_get_attr_count(signer) >= 0 else { return .attributesNotSigned }
        guard CMS_SignerInfo_verify(signer) > 0 else { return .signatureWrong }
        var signed: UnsafePointer<UInt8>?
        let count = martlet_cms_message_digest(signer, &signed)
        guard martlet_cms_signed_type(signer) == NID_pkcs7_data, count > 0,
            digests[algorithm] == [UInt8](UnsafeBufferPointer(start: signed, count: count))
        else { return .contentChanged }
        return chains.problem(of: certificate)
    }

    private static let strongDigests: Set<Int32> = [
        NID_sha256, NID_sha384, NID_sha512, NID_sha3_256, NID_sha3_384, NID_sha3_512,
    ]
}

/// The digests of signed content, each made once.
///
/// OpenSSL's own way makes one for each algorithm that the structure lists, as deep in the stack as the list is long.
private struct ContentDigests {
    private let octets: [UInt8]
    private var digests: [Int32: [UInt8]] = [:]

    init(_ octets: [UInt8]) { self.octets = octets }

    /// The digest by an algorithm that is given as a NID; `nil` if OpenSSL has not got it.
    subscript(algorithm: Int32) -> [UInt8]? {
        mutating get {
            if digests[algorithm] == nil {
                digests[algorithm] = OpenSSL.digest(
                    octets, EVP_get_digestbyname(OBJ_nid2sn(algorithm)))
            }
            return digests[algorithm]
        }
    }
}
