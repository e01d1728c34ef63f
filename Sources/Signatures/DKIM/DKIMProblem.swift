/// Why a signature says nothing, or says that a message was changed. RFC 6376 §6.1.
public enum DKIMProblem: Error, Sendable, Hashable {
    // The message
    /// The header has a line that is no field, a bare CR, too many fields, or not exactly one `From`: other readers may
    /// see another message.
    case malformedHeader
    /// The body, or as much of it as was signed, is not as it was signed.
    case bodyChanged
    /// The signed header fields are not as they were signed, or the key is another one.
    case headerChanged
    /// `l=` counts more octets than the body has.
    case bodyTooShort

    // The signature
    /// A tag has no name or no value, at an offset in the header section or key record.
    case malformedTagList(offset: Int)
    /// A tag is there twice.
    case repeatedTag(String)
    /// There are more tags than are read.
    case tooManyTags(limit: Int)
    /// The field is longer than is read.
    case tooLong(limit: Int)
    /// A required tag is not there.
    case missingTag(String)
    /// A tag's value is not of the form it must have.
    case malformedTag(String)
    /// The version is not 1.
    case unknownVersion
    /// The algorithm is not known.
    case unknownAlgorithm
    /// SHA-1 proves nothing any more. RFC 8301 §3.1.
    case obsoleteAlgorithm
    /// The canonicalisation is not known.
    case unknownCanonicalization
    /// The key is not to be had by DNS TXT records.
    case unknownQueryMethod
    /// `h=` does not name `From`. RFC 6376 §5.4.
    case fromNotSigned
    /// The identity `i=` is not of the domain `d=` or of one below it.
    case foreignIdentity
    /// The signature was good until the time that `x=` says.
    case expired

    // The key
    /// The key could not be looked up now.
    case keyNotAvailable
    /// There is no such key.
    case keyNotFound
    /// The key was revoked by its owner.
    case keyRevoked
    /// The key record is damaged.
    case malformedKey
    /// The key is of another kind than the algorithm needs, or must not be used with this hash, service or identity.
    case unsuitableKey
    /// The key has fewer bits than may be trusted (1024, RFC 8301 §3.2), or more than are computed with.
    case keySizeRefused(bits: Int)
}

extension DKIMProblem: CustomStringConvertible {
    /// A clause for a person, without a full stop.
    public var description: String {
        switch self {
        case .malformedHeader: "the header has lines that are no fields, or not exactly one From"
        case .bodyChanged: "the body was changed after it was signed"
        case .headerChanged: "signed header fields were changed, or the key is another one"
        case .bodyTooShort: "the body is shorter than what was signed"
        case .malformedTagList: "the list of tags is damaged"
        case .repeatedTag(let name): "the tag \(name)= is there twice"
        case .tooManyTags(let limit): "there are more than \(limit) tags"
        case .tooLong(let limit): "the field is longer than \(limit) octets"
        case .missingTag(let name): "the tag \(name)= is missing"
        case .malformedTag(let name): "the tag \(name)= is damaged"
        case .unknownVersion: "the version of the signature is not known"
        case .unknownAlgorithm: "the algorithm is not known"
        case .obsoleteAlgorithm: "the algorithm is SHA-1, which proves nothing any more"
        case .unknownCanonicalization: "the canonicalisation is not known"
        case .unknownQueryMethod: "the key is not to be had by DNS"
        case .fromNotSigned: "From is not signed"
        case .foreignIdentity: "the identity is not of the signing domain"
        case .expired: "the signature has expired"
        case .keyNotAvailable: "the key could not be looked up now; try again later"
        case .keyNotFound: "there is no such key"
        case .keyRevoked: "the key was revoked"
        case .malformedKey: "the key record is damaged"
        case .unsuitableKey: "the key is not for signatures like this one"
        case .keySizeRefused(let bits): "a key of \(bits) bits is not accepted"
        }
    }
}
