import MartletBytes
import MartletMIME

/// A part that OpenPGP has signed or encrypted. RFC 3156. What is in it is for a program that knows OpenPGP.
public enum PGPStructure: Sendable {
    /// A `multipart/signed`: content that everybody can read, and its signature. RFC 3156 §5.
    case signed(PGPSignedParts)
    /// A `multipart/encrypted`. RFC 3156 §4.
    case encrypted(PGPEncryptedParts)
}

/// The parts of a signed message.
public struct PGPSignedParts: Sendable {
    /// What is signed, its header included: the octets of `content.range`.
    public var content: Part
    /// The part that has the signature, in ASCII armour: `signature.bodyRange`.
    public var signature: Part
    /// The digest that was signed, such as `pgp-sha256`, if it is told.
    public var digestName: String?

    /// The octets that were signed: the content with CRLF for line ends. RFC 3156 §5.
    public var signedOctets: [UInt8] { canonicalLines(content.octets[content.range]) }
}

/// The parts of an encrypted message.
public struct PGPEncryptedParts: Sendable {
    /// The part that says `Version: 1`.
    public var version: Part
    /// The part that has the encrypted content, in ASCII armour.
    public var data: Part
    /// Whether a mail server has made a `multipart/mixed` of it, as Exchange does.
    public var isMangled: Bool
}

extension Part {
    /// What OpenPGP has made of this part; `nil` where it is another one, or has not got the parts it must have.
    public var pgpStructure: PGPStructure? {
        guard kind == .multipart else { return nil }
        let type = contentType
        let parts = Array(children.prefix(4))
        switch type.subtype {
        case "signed": return signed(type, parts)
        case "encrypted": return encrypted(type, parts)
        case "mixed": return mangled(parts)
        default: return nil
        }
    }

    private func signed(_ type: ContentTypeField, _ parts: [Part]) -> PGPStructure? {
        let isPGP = type.parameters["protocol"]?.asciiLowercased == "application/pgp-signature"
        guard parts.count == 2,
            isPGP || parts[1].contentType.description == "application/pgp-signature"
        else { return nil }
        return .signed(
            PGPSignedParts(
                content: parts[0], signature: parts[1],
                digestName: type.parameters["micalg"]?.asciiLowercased))
    }

    private func encrypted(_ type: ContentTypeField, _ parts: [Part]) -> PGPStructure? {
        let isPGP = type.parameters["protocol"]?.asciiLowercased == "application/pgp-encrypted"
        guard parts.count == 2, isPGP || parts[0].isPGPVersion else { return nil }
        return .encrypted(PGPEncryptedParts(version: parts[0], data: parts[1], isMangled: false))
    }

    /// An empty text, the version, the data.
    private func mangled(_ parts: [Part]) -> PGPStructure? {
        guard (2...3).contains(parts.count), parts[parts.count - 2].isPGPVersion,
            parts[parts.count - 1].contentType.type == "application"
        else { return nil }
        return .encrypted(
            PGPEncryptedParts(
                version: parts[parts.count - 2], data: parts[parts.count - 1], isMangled: true))
    }

    private var isPGPVersion: Bool { contentType.description == "application/pgp-encrypted" }
}
