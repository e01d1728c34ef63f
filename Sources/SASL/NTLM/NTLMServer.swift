import MartletBytes
import MartletCrypto

/// The server's side of NTLM, version 2 only, without a domain controller: for tests. MS-NLMP §3.2.
public struct NTLMServer: SASLServerMechanism {
    private enum State: Sendable {
        /// → asked, challenged
        case start
        /// → challenged
        case asked
        /// → done
        case challenged(negotiate: [UInt8], challenge: [UInt8])
        case done
    }

    private let users: SASLUsers
    private let nonce: [UInt8]
    private var state = State.start

    /// Makes one at the start of a login.
    ///
    /// - Parameter nonce: eight octets used once, for tests; at random otherwise.
    public init(_ users: SASLUsers, nonce: [UInt8]? = nil) {
        self.users = users
        self.nonce = nonce ?? SecureRandom.octets(8)
    }

    /// `NTLM`.
    public var name: String { "NTLM" }

    /// The challenge, then the claim.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        switch (state, response) {
        case (.start, nil):
            state = .asked
            return .challenge([])
        case (.start, .some(let response)), (.asked, .some(let response)):
            let octets = response.withOctets { Array($0) }
            guard octets.count <= NTLMOctets.messageLimitInOctets,
                octets.starts(with: NTLMOctets.signature),
                NTLMOctets.number(octets, at: 8, size: 4) == 1,
                let flags = NTLMOctets.number(octets, at: 12, size: 4),
                NTLMFlags(rawValue: UInt32(truncatingIfNeeded: flags)).contains(.unicode)
            else { throw malformed }
            let challenge = challenge
            state = .challenged(negotiate: octets, challenge: challenge)
            return .challenge(challenge)
        case (.challenged(let negotiate, let challenge), .some(let response)):
            state = .done
            let octets = response.withOctets { Array($0) }
            guard let message = NTLMAuthenticate(octets), !message.user.isEmpty else {
                throw malformed
            }
            return .verify(try check(message, octets, negotiate + challenge))
        default: throw malformed
        }
    }

    private var malformed: SASLError { SASLError(.malformedResponse, mechanism: name) }

    private var challenge: [UInt8] {
        let target = users.realms.first ?? users.channel.host
        var attributes = NTLMAttributes()
        attributes[NTLMAttributes.domainName] = NTLMOctets.utf16(target)
        attributes[NTLMAttributes.computerName] = NTLMOctets.utf16(users.channel.host)
        if users.channel.secondsSinceEpoch != 0 {
            var time: [UInt8] = []
            NTLMOctets.append(
                NTLMv2.fileTime(secondsSinceEpoch: users.channel.secondsSinceEpoch), to: &time)
            attributes[NTLMAttributes.timestamp] = time
        }
        return NTLMChallenge(
            flags: NTLMFlags.wanted.union(.targetIsServer), nonce: nonce, attributes: attributes
        ).encoded(targetName: target)
    }

    private func check(
        _ message: NTLMAuthenticate, _ octets: [UInt8], _ before: [UInt8]
    ) throws(SASLError) -> SASLLogin {
        // 16 octets of proof, 28 before the attributes
        guard message.ntResponse.count >= 44 else { throw malformed }
        let proof = Array(message.ntResponse[..<16])
        let blob = Array(message.ntResponse[16...])
        guard let attributes = NTLMAttributes(Array(blob[28...])) else { throw malformed }
        let known = users.password(message.user)
        let isRight: Bool
        do throws(CryptoError) {
            let keys = try NTLMv2(
                user: message.user, domain: message.domain, password: known ?? Secret("?"))
            let expected = try keys.proof(serverChallenge: nonce, blob: blob)
            let isBound = try isBound(attributes)
            let hasCode = try hasRightCode(
                octets, before, attributes, keys.sessionKey(proof: proof))
            isRight = ConstantTime.equal(expected, proof) && isBound && hasCode
        } catch {
            throw SASLError(.unavailable, mechanism: name, error.half)
        }
        guard isRight, known != nil else { throw SASLError(.wrongProof, mechanism: name) }
        return SASLLogin(user: message.user, proof: .checked)
    }

    private func isBound(_ attributes: NTLMAttributes) throws(CryptoError) -> Bool {
        guard let binding = users.channel.binding(SASLChannelBinding.tlsServerEndPoint),
            let digest = attributes[NTLMAttributes.channelBindings]
        else { return true }
        return ConstantTime.equal(digest, try NTLMv2.digest(of: binding))
    }

    private func hasRightCode(
        _ octets: [UInt8], _ before: [UInt8], _ attributes: NTLMAttributes, _ key: [UInt8]
    ) throws(CryptoError) -> Bool {
        let flags = attributes[NTLMAttributes.flags].flatMap {
            NTLMOctets.number($0, at: 0, size: 4)
        }
        guard UInt32(truncatingIfNeeded: flags ?? 0) & NTLMAttributes.hasCode != 0 else {
            return true
        }
        let range = NTLMAuthenticate.codeRange
        guard octets.count >= range.upperBound else { return false }
        var blank = octets
        blank.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
        return ConstantTime.equal(
            Array(octets[range]), try Digest.md5.hmac(before + blank, key: key))
    }
}
