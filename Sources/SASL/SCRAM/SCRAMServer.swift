import MartletBytes
import MartletCrypto

/// The server's side of SCRAM. RFC 5802 §5.
public struct SCRAMServer: SASLServerMechanism {
    private enum State: Sendable {
        /// → first
        case start
        /// → challenged
        case first
        /// → proven
        case challenged(Exchange)
        /// The client acknowledges the signature with an empty response.
        case proven(SASLLogin)
        case done
    }

    private struct Exchange: Sendable {
        var user: String
        var identity: String
        var header: [UInt8]
        var binding: SASLChannelBinding?
        var firstBare: [UInt8]
        var serverFirst: [UInt8]
        var nonce: [UInt8]
        var salt: [UInt8]
    }

    private let hash: SCRAMHash
    private let isBound: Bool
    private let users: SASLUsers
    private let offersBinding: Bool
    private let salt: [UInt8]?
    private let nonce: String
    private var state = State.start

    /// Makes one at the start of a login.
    ///
    /// - Parameters:
    ///   - isBound: whether it is the `-PLUS` mechanism.
    ///   - offersBinding: whether the server offered a `-PLUS` mechanism, so that a client which could bind and thinks
    ///     that it was not offered shows that somebody changed the list.
    ///   - nonce, salt: for tests; at random otherwise.
    public init(
        _ hash: SCRAMHash, isBound: Bool = false, _ users: SASLUsers, offersBinding: Bool = false,
        nonce: String? = nil, salt: [UInt8]? = nil
    ) {
        self.hash = hash
        self.isBound = isBound
        self.users = users
        self.offersBinding = offersBinding
        self.nonce = nonce ?? SCRAM.makeNonce()
        self.salt = salt
    }

    /// `SCRAM-SHA-256`, `SCRAM-SHA-256-PLUS` and so on.
    public var name: String { hash.name(isBound: isBound) }

    /// The salt, then the signature, then the claim.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        switch (state, response) {
        case (.start, nil):
            state = .first
            return .challenge([])
        case (.start, .some(let response)), (.first, .some(let response)):
            return .challenge(try begin(response.withOctets { Array($0) }))
        case (.challenged(let exchange), .some(let response)):
            return .challenge(try check(response.withOctets { Array($0) }, exchange))
        case (.proven(let login), .some(let response)) where response.count == 0:
            state = .done
            return .verify(login)
        default: throw malformed("it said something when nothing was due")
        }
    }

    private func malformed(_ detail: String) -> SASLError {
        SASLError(.malformedResponse, mechanism: name, detail)
    }

    // client-first-message = gs2-cbind-flag "," [authzid] "," [reserved-mext ","] username "," nonce ["," extensions]
    private mutating func begin(_ octets: [UInt8]) throws(SASLError) -> [UInt8] {
        guard octets.count <= SCRAMLimits.messageLimitInOctets else { throw malformed("too long") }
        let parts = octets.split(
            separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, var message = SCRAMMessage(parts[2]) else {
            throw malformed("no header of GS2 and list of attributes")
        }
        let binding = try binding(of: parts[0])
        var identity = ""
        if !parts[1].isEmpty {
            guard parts[1].starts(with: "a=".utf8),
                let name = SCRAMMessage.unescaped(parts[1].dropFirst(2))
            else { throw malformed("an identity that is none") }
            identity = name
        }
        guard let escaped = message.take("n"), let user = SCRAMMessage.unescaped(escaped),
            let clientNonce = message.takeNonce()
        else { throw malformed("no user name and nonce") }
        let salt = salt ?? SecureRandom.octets(16)
        let bothNonces = clientNonce + Array(nonce.utf8)
        let serverFirst =
            Array("r=".utf8) + bothNonces + Array(",s=".utf8) + Base64.encode(salt)
            + Array(",i=\(users.iterationCount)".utf8)
        state = .challenged(
            Exchange(
                user: user, identity: identity, header: Array(octets[..<parts[2].startIndex]),
                binding: binding, firstBare: Array(parts[2]), serverFirst: serverFirst,
                nonce: bothNonces, salt: salt))
        return serverFirst
    }

    // gs2-cbind-flag = ("p=" cb-name) / "n" / "y"
    private func binding(of flag: ArraySlice<UInt8>) throws(SASLError) -> SASLChannelBinding? {
        switch String(decoding: flag, as: UTF8.self) {
        case "n" where !isBound: return nil
        case "y" where !isBound:
            guard !offersBinding else { throw SASLError(.wrongProof, mechanism: name) }
            return nil
        case let text where text.hasPrefix("p=") && isBound:
            guard let binding = users.channel.bindings.first(where: { "p=" + $0.name == text })
            else { throw malformed("a kind of channel binding that there is not") }
            return binding
        default: throw malformed("a flag for channel binding that does not fit the mechanism")
        }
    }

    // client-final-message = channel-binding "," nonce ["," extensions] "," proof
    private mutating func check(
        _ octets: [UInt8], _ exchange: Exchange
    ) throws(SASLError) -> [UInt8] {
        state = .done
        guard let end = octets.lastIndex(of: UInt8(ascii: ",")),
            var final = SCRAMMessage(octets[..<end]), var last = SCRAMMessage(octets[(end + 1)...]),
            let bound = final.takeBase64("c", limit: SCRAMLimits.messageLimitInOctets),
            let nonce = final.takeNonce(), let proof = last.takeBase64("p", limit: 64)
        else { throw malformed("no proof behind binding and nonce") }
        guard nonce == exchange.nonce else { throw malformed("another nonce") }
        guard bound == exchange.header + (exchange.binding?.octets ?? []) else {
            throw SASLError(.wrongProof, mechanism: name, "another channel")
        }
        let comma = [UInt8(ascii: ",")]
        let authMessage =
            exchange.firstBare + comma + exchange.serverFirst + comma + octets[..<end]
        let signature = try serverSignature(exchange, proof: proof, authMessage)
        state = .proven(
            SASLLogin(
                user: exchange.user, authorizationIdentity: exchange.identity, proof: .checked))
        return Array("v=".utf8) + Base64.encode(signature)
    }

    private func serverSignature(
        _ exchange: Exchange, proof: [UInt8], _ authMessage: [UInt8]
    ) throws(SASLError) -> [UInt8] {
        let known = users.password(exchange.user)
        // As much work for somebody unknown: the time it takes tells nothing.
        let password = known.map { (try? SASLprep.prepare($0)) ?? $0 } ?? Secret("?")
        let signature: [UInt8]?
        do throws(CryptoError) {
            let keys = try SCRAMKeys(
                password: password, salt: exchange.salt, iterations: users.iterationCount,
                hash.digest)
            let isRight = try keys.accepts(proof: proof, authMessage)
            signature = isRight ? try keys.serverSignature(authMessage) : nil
        } catch {
            throw SASLError(.unavailable, mechanism: name, error.half)
        }
        guard let signature, known != nil else { throw SASLError(.wrongProof, mechanism: name) }
        return signature
    }
}
