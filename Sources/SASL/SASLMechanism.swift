import MartletBytes

/// The client's side of a SASL mechanism: challenges in, responses out. RFC 4422 §3.
///
/// A value for one login. Octets are as the mechanism defines them: the protocol around it adds base64.
///
///     var mechanism: any SASLMechanism = PLAIN(user: "alice", password: password)
///     let first = mechanism.initialResponse()            // with AUTH, where the mechanism speaks first
///     let next = try mechanism.respond(to: challenge)    // for each challenge
public protocol SASLMechanism: Sendable {
    /// The registered name, in upper case.
    var name: String { get }

    /// What the client says first. `nil`: the server speaks first.
    ///
    /// A protocol that cannot carry it gets an empty challenge from the server, and `respond` gives it then.
    mutating func initialResponse() -> Secret?

    /// Answers a challenge.
    ///
    /// - Throws: `SASLError` when the challenge makes no sense: cancel the login.
    mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret
}
