import MartletBytes
import MartletCrypto

/// The first message: what the client can. MS-NLMP §2.2.1.1.
enum NTLMNegotiate {
    static var message: [UInt8] {
        var octets = NTLMOctets.signature
        NTLMOctets.append(1 as UInt32, to: &octets)
        NTLMOctets.append(NTLMFlags.wanted.rawValue, to: &octets)
        // neither domain nor workstation, nor a version
        return octets + [UInt8](repeating: 0, count: 24)
    }
}

/// The server's message: its nonce and its attributes. MS-NLMP §2.2.1.2.
struct NTLMChallenge {
    var flags: NTLMFlags
    var nonce: [UInt8]
    var attributes: NTLMAttributes

    init(flags: NTLMFlags, nonce: [UInt8], attributes: NTLMAttributes) {
        (self.flags, self.nonce, self.attributes) = (flags, nonce, attributes)
    }

    /// Reads a message; `nil` where it is none, or a field lies outside.
    init?(_ octets: [UInt8]) {
        guard octets.count <= NTLMOctets.messageLimitInOctets,
            octets.starts(with: NTLMOctets.signature),
            NTLMOctets.number(octets, at: 8, size: 4) == 2,
            let flags = NTLMOctets.number(octets, at: 20, size: 4), octets.count >= 32
        else { return nil }
        self.flags = NTLMFlags(rawValue: UInt32(truncatingIfNeeded: flags))
        nonce = Array(octets[24..<32])
        attributes = NTLMAttributes()
        guard self.flags.contains(.targetInfo) else { return }
        guard let list = NTLMOctets.field(octets, at: 40) else { return nil }
        if list.isEmpty { return }
        guard let attributes = NTLMAttributes(list) else { return nil }
        self.attributes = attributes
    }

    func encoded(targetName: String) -> [UInt8] {
        let name = NTLMOctets.utf16(targetName)
        let list = attributes.encoded
        var octets = NTLMOctets.signature
        NTLMOctets.append(2 as UInt32, to: &octets)
        NTLMField.append(name.count, at: 56, to: &octets)
        NTLMOctets.append(flags.rawValue, to: &octets)
        octets += nonce + [UInt8](repeating: 0, count: 8)
        NTLMField.append(list.count, at: 56 + name.count, to: &octets)
        return octets + [UInt8](repeating: 0, count: 8) + name + list
    }
}

enum NTLMField {
    static func append(_ count: Int, at offset: Int, to octets: inout [UInt8]) {
        NTLMOctets.append(UInt16(truncatingIfNeeded: count), to: &octets)
        NTLMOctets.append(UInt16(truncatingIfNeeded: count), to: &octets)
        NTLMOctets.append(UInt32(truncatingIfNeeded: offset), to: &octets)
    }
}

/// The last message: who it is, and the proof. MS-NLMP §2.2.1.3.
struct NTLMAuthenticate {
    /// Where the code over all messages is.
    static let codeRange = 72..<88

    var lmResponse: [UInt8]
    var ntResponse: [UInt8]
    var domain: String
    var user: String
    var flags: NTLMFlags

    init(
        lmResponse: [UInt8], ntResponse: [UInt8], domain: String, user: String, flags: NTLMFlags
    ) {
        (self.lmResponse, self.ntResponse) = (lmResponse, ntResponse)
        (self.domain, self.user, self.flags) = (domain, user, flags)
    }

    /// Reads a message; `nil` where it is none, or a field lies outside.
    init?(_ octets: [UInt8]) {
        guard octets.count <= NTLMOctets.messageLimitInOctets,
            octets.starts(with: NTLMOctets.signature),
            NTLMOctets.number(octets, at: 8, size: 4) == 3,
            let lmResponse = NTLMOctets.field(octets, at: 12),
            let ntResponse = NTLMOctets.field(octets, at: 20),
            let domain = NTLMOctets.field(octets, at: 28),
            let user = NTLMOctets.field(octets, at: 36),
            let flags = NTLMOctets.number(octets, at: 60, size: 4)
        else { return nil }
        self.flags = NTLMFlags(rawValue: UInt32(truncatingIfNeeded: flags))
        guard self.flags.contains(.unicode), let domain = NTLMOctets.text(utf16: domain),
            let user = NTLMOctets.text(utf16: user)
        else { return nil }
        (self.lmResponse, self.ntResponse) = (lmResponse, ntResponse)
        (self.domain, self.user) = (domain, user)
    }

    /// The message with zeros in the place of the code.
    var encoded: [UInt8] {
        let fields = [
            lmResponse, ntResponse, NTLMOctets.utf16(domain), NTLMOctets.utf16(user), [], [],
        ]
        var octets = NTLMOctets.signature
        NTLMOctets.append(3 as UInt32, to: &octets)
        var offset = Self.codeRange.upperBound
        for field in fields {
            NTLMField.append(field.count, at: offset, to: &octets)
            offset += field.count
        }
        NTLMOctets.append(flags.rawValue, to: &octets)
        octets += [UInt8](repeating: 0, count: 8 + Self.codeRange.count)
        return octets + fields.joined()
    }
}
