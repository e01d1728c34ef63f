/// How much is looked at when the signatures of a message are verified.
///
/// The standard values are far above what mail in the wild has. What is beyond one is told in the result of DKIM and ARC;
/// S/MIME throws `SignatureError`, `.tooLarge`; armour blocks are left out.
public struct SignatureLimits: Sendable, Hashable {
    /// How many DKIM signatures of a message are verified, from the top. RFC 6376 §6.1 lets verifiers set one.
    public var signatureCount = 16
    /// Octets of the value of one `DKIM-Signature`, `ARC-Message-Signature` or `ARC-Seal` field.
    public var signatureSizeInOctets = 64 * 1024
    /// Tags in one signature or key record.
    public var tagCount = 64
    /// Octets of one key record.
    public var keyRecordSizeInOctets = 16 * 1024
    /// Octets of the header section.
    public var headerSizeInOctets = 8 * 1024 * 1024
    /// Fields of the header section.
    public var fieldCount = 50_000
    /// Sets of ARC fields. RFC 8617 §4.2.1 ends at 50.
    public var arcSetCount = 50
    /// Octets of a signed S/MIME entity, and of a CMS structure as it is encoded in the message.
    public var smimeSizeInOctets = 256 * 1024 * 1024
    /// Elements of one CMS structure in ASN.1, besides one for each 64 of its octets: a certificate has a hundred.
    public var cmsElementCount = 50_000
    /// Signers of one S/MIME signature.
    public var signerCount = 16
    /// OpenPGP armour blocks found in one text.
    public var armorBlockCount = 1_000

    /// The standard limits.
    public static let standard = SignatureLimits()

    /// The standard limits, to be changed.
    public init() {}
}
