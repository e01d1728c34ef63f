import MartletBytes

/// ANONYMOUS: nobody in particular logs in, and may leave a trace. RFC 4505.
public struct ANONYMOUS: SASLMechanism {
    /// Most characters of a trace. RFC 4505 §2.
    public static let traceLimit = 255

    private let response: Secret
    private var isSaid = false

    /// Prepares a login.
    ///
    /// - Parameter trace: a mail address or a word without `@` by which the server's owner may know who it was; may be
    ///   empty.
    /// - Throws: `.invalidCredentials` when it is too long or holds control characters.
    public init(trace: String = "") throws(SASLError) {
        guard Self.isValid(trace) else {
            throw SASLError(
                .invalidCredentials, mechanism: "ANONYMOUS",
                "the trace is longer than \(Self.traceLimit) characters, or holds control characters"
            )
        }
        response = Secret(trace)
    }

    static func isValid(_ trace: String) -> Bool {
        trace.unicodeScalars.count <= traceLimit
            && trace.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value)
            }
    }

    /// `ANONYMOUS`.
    public var name: String { "ANONYMOUS" }
    /// `false`.
    public var sendsPlaintextSecret: Bool { false }
    /// The trace, which may be empty.
    public mutating func initialResponse() -> Secret? { response }

    /// The same to an empty challenge, once.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        guard !isSaid, challenge.isEmpty else {
            throw SASLError(.unexpectedChallenge, mechanism: name)
        }
        isSaid = true
        return response
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}
}

/// The server's side of ANONYMOUS. RFC 4505 §2.
public struct ANONYMOUSServer: SASLServerMechanism {
    private var isAsked = false

    /// Makes one at the start of a login.
    public init() {}

    /// `ANONYMOUS`.
    public var name: String { "ANONYMOUS" }

    /// Asks with an empty challenge where nothing came along.
    public mutating func receive(_ response: Secret?) throws(SASLError) -> SASLServerStep {
        guard let response else {
            guard !isAsked else { throw SASLError(.malformedResponse, mechanism: name) }
            isAsked = true
            return .challenge([])
        }
        let trace = response.withOctets { octets in
            octets.count > 4 * ANONYMOUS.traceLimit
                ? nil : String(validating: octets, as: UTF8.self)
        }
        guard let trace, ANONYMOUS.isValid(trace) else {
            throw SASLError(.malformedResponse, mechanism: name)
        }
        return .verify(SASLLogin(user: "", proof: .anonymous(trace: trace)))
    }
}
