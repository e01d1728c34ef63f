import MartletMIME

/// What S/MIME has made of a part. RFC 8551 §3.
public enum SMIMEKind: Sendable, Hashable {
    /// A `multipart/signed`: the signed part as everybody can read it, and its signature. RFC 8551 §3.5.3.
    case detachedSignature
    /// The signed content is within the CMS structure. RFC 8551 §3.5.2.
    case signed
    /// Encrypted without protection against changes. RFC 8551 §3.3.
    case enveloped
    /// Encrypted so that changes show. RFC 8551 §3.4.
    case authEnveloped
    /// Certificates only. RFC 8551 §3.8.
    case certificates
    /// A CMS structure that does not say what it is; it can be signed or encrypted.
    case unspecified
}

extension Part {
    /// What S/MIME has made of this part, from its type, parameters and file name; `nil` where it is another one.
    /// RFC 8551 §3.10.
    public var smimeKind: SMIMEKind? {
        let type = contentType
        let name = fileName?.asciiLowercased ?? ""
        switch (type.type, type.subtype) {
        case ("multipart", "signed"):
            let isSMIME = type.parameters["protocol"].map { Self.isSignature($0) } ?? false
            guard kind == .multipart else { return nil }
            return isSMIME || secondChildIsSMIMESignature ? .detachedSignature : nil
        case ("application", "pkcs7-mime"), ("application", "x-pkcs7-mime"):
            switch type.parameters["smime-type"]?.asciiLowercased {
            case "signed-data": return .signed
            case "enveloped-data": return .enveloped
            case "authenveloped-data": return .authEnveloped
            case "certs-only": return .certificates
            default: return name.hasSuffix(".p7c") ? .certificates : .unspecified
            }
        case ("application", "octet-stream"):
            return name.hasSuffix(".p7m") ? .unspecified : nil
        default:
            return nil
        }
    }

    private var secondChildIsSMIMESignature: Bool {
        var children = children
        guard children.next() != nil, let second = children.next() else { return false }
        return Self.isSignature(second.contentType.description)
    }

    private static func isSignature(_ type: String) -> Bool {
        let type = type.asciiLowercased
        return type == "application/pkcs7-signature" || type == "application/x-pkcs7-signature"
    }

    /// The message that this part is in, whose `From` says who has written it.
    var enclosingMessage: Part {
        var part = self
        while let parent = part.parent, parent.kind != .message { part = parent }
        return part
    }
}
