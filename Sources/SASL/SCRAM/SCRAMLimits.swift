/// What is taken of the other side in SCRAM.
public enum SCRAMLimits {
    /// Fewest iterations that a server may ask for: what RFC 7677 §4 demands and servers have by default.
    public static let minimumIterations = 4_096
    /// Most iterations that a server may ask for: about a second of one processor. OWASP advises up to 1,300,000.
    public static let maximumIterations = 2_000_000
    /// Most octets of a salt.
    public static let saltLimitInOctets = 1_024
    /// Most characters of a nonce, both sides' together.
    public static let nonceLimit = 1_024
    /// Most octets of a message of either side.
    public static let messageLimitInOctets = 8_192
}
