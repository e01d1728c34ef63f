import MartletBytes

/// The server's side of XOAUTH2 and of OAUTHBEARER. RFC 7628 §3.
public struct BearerServer: SASLServerMechanism {
    /// Most octets of a response: tokens are long.
    public static let responseLimitInOctets = 16 * 1024

    private enum State: Sendable {
        /// → asked, claimed
        case start
        /// → claimed
        case asked
        /// → refused
        case claimed
        /// The client has heard why, and acknowledges. → none
        case refused
    }

    /// `XOAUTH2` or `OAUTHBEARER`.
    public let name: String
    private let scope: String
    private var state = State.start

    /// Google's and Microsoft's mechanism.
    ///
    /// - Parameter scope: what a token must be for, as said when one is refused; without quotes and backslashes.
    public static func xoauth2(scope: String = "mail") -> BearerServer {
        BearerServer(name: "XOAUTH2", scope: scope)
    }

    /// The mechanism of RFC 7628.
    ///
    /// - Parameter scope: what a token must be for, as said when one is refused; without quotes and backslashes.
    public static func oauthBearer(scope: String = "mail") -> BearerServer {
        BearerServer(name: "OAUTHBEARER", scope: scope)
    }

    private init(name: String, scope: String) {
        self.name = name
        self.scope = scope
    }

    /// Asks with an empty challenge where nothing came along, then gives user and token.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        switch (state, response) {
        case (.start, nil):
            state = .asked
            return .challenge([])
        case (.start, .some(let response)), (.asked, .some(let response)):
            state = .claimed
            guard let login = response.withOctets({ login(Array($0)) }) else {
                throw SASLError(.malformedResponse, mechanism: name)
            }
            return .verify(login)
        case (.refused, .some): throw SASLError(.wrongProof, mechanism: name)
        default: throw SASLError(.malformedResponse, mechanism: name)
        }
    }

    /// Why the token was refused, in JSON.
    public mutating func refuse() -> [UInt8]? {
        guard case .claimed = state else { return nil }
        state = .refused
        let status = name == "XOAUTH2" ? "401" : "invalid_token"
        return Array(#"{"status":"\#(status)","schemes":"bearer","scope":"\#(scope)"}"#.utf8)
    }

    private func login(_ octets: [UInt8]) -> SASLLogin? {
        guard octets.count <= Self.responseLimitInOctets, octets.suffix(2) == [1, 1] else {
            return nil
        }
        let fields = octets.dropLast(2).split(separator: 1, omittingEmptySubsequences: false)
        guard let first = fields.first,
            let user = name == "XOAUTH2" ? Self.user(first) : Self.identity(first)
        else { return nil }
        let scheme = Array("auth=bearer ".utf8)
        let proof = fields.dropFirst().first {
            $0.prefix(scheme.count).map(\.lowercased) == scheme
        }
        guard let token = proof?.dropFirst(scheme.count), !token.isEmpty else { return nil }
        return SASLLogin(user: user, proof: .token(Secret(octets: token)))
    }

    /// `user=alice@example.org`
    private static func user(_ field: ArraySlice<UInt8>) -> String? {
        guard field.starts(with: "user=".utf8), field.count > 5 else { return nil }
        return String(validating: field.dropFirst(5), as: UTF8.self)
    }

    // gs2-header = ("n" / "y") "," [authzid] "," ; without channel binding
    private static func identity(_ field: ArraySlice<UInt8>) -> String? {
        let parts = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty,
            ["n", "y"].contains(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        if parts[1].isEmpty { return "" }
        guard parts[1].starts(with: "a=".utf8) else { return nil }
        return SCRAMMessage.unescaped(parts[1].dropFirst(2))
    }
}
