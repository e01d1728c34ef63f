/// The number a peer gives as its reason to end a connection. RFC 8446 §6.
public struct TLSAlert: Sendable, Hashable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: UInt8

    /// Keeps any number, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No common parameters.
    public static let handshakeFailure = TLSAlert(rawValue: 40)
    /// The version is not spoken.
    public static let protocolVersion = TLSAlert(rawValue: 70)
    /// The server wants a certificate.
    public static let certificateRequired = TLSAlert(rawValue: 116)

    /// The certificate shown was not liked, for whatever reason.
    var refusesCertificate: Bool { (42...46).contains(rawValue) || (48...49).contains(rawValue) }

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac",
        21: "decryption_failed", 22: "record_overflow", 30: "decompression_failure",
        40: "handshake_failure", 41: "no_certificate", 42: "bad_certificate",
        43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
        49: "access_denied", 50: "decode_error", 51: "decrypt_error",
        60: "export_restriction", 70: "protocol_version", 71: "insufficient_security",
        80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
        112: "unrecognized_name", 113: "bad_certificate_status_response",
        115: "unknown_psk_identity", 116: "certificate_required",
        120: "no_application_protocol",
    ]

    /// The RFC's word, such as `handshake_failure`.
    public var description: String { Self.names[rawValue] ?? "alert \(rawValue)" }
}
