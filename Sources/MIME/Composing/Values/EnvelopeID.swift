import MartletBytes

/// The name under which delivery reports speak of a message: `ENVID` of `MAIL FROM`. RFC 3461 §4.4.
///
///     MAIL FROM:<jane@example.org> ENVID=abc+2B1@example.org
///
/// It is part of the envelope, not of the message: whoever sends gives it to the server, which has to offer DSN. A report
/// carries it as `Original-Envelope-Id` (RFC 3464 §2.2.1), so that it finds its message even where
/// it returns nothing of it.
public struct EnvelopeID: Hashable, Sendable {
    /// The longest identifier in octets, as `xtext`. RFC 3461 §4.4.
    public static let sizeLimitInOctets = 100

    /// The identifier itself: printable ASCII.
    public let text: String

    /// Makes an identifier.
    ///
    /// - Throws: `CompositionError`, to be mended by the caller, when it is empty, has anything but printable
    ///   ASCII, or is too long once it is encoded.
    public init(_ text: String) throws(CompositionError) {
        try refuseLineBreaks(in: text, field: Self.field)
        let isPrintable = text.utf8.allSatisfy { $0 >= ASCII.space && $0 < ASCII.del }
        guard !text.isEmpty, isPrintable else {
            throw CompositionError(.invalid, field: Self.field, value: text)
        }
        self.text = text
        guard xtext.utf8.count <= Self.sizeLimitInOctets else {
            throw CompositionError(.tooLong(limit: Self.sizeLimitInOctets), field: Self.field)
        }
    }

    /// The identifier of a message: its message ID, or, where that is too long, as much of it as fits behind
    /// a fingerprint of the whole. One message always has the same.
    public init(_ messageID: MessageID) {
        if let whole = try? EnvelopeID(messageID.text) {
            self = whole
            return
        }
        var octets = Hex.digits(of: fingerprint(of: messageID.text.utf8)) + [ASCII.hyphen]
        var size = octets.count
        for octet in messageID.text.utf8 {
            size += Self.isXChar(octet) ? 1 : 3
            guard size <= Self.sizeLimitInOctets else { break }
            octets.append(octet)
        }
        text = String(decoding: octets, as: UTF8.self)
    }

    // xtext = *( xchar / hexchar ) ; hexchar = "+" 2(%x30-39 / %x41-46)
    /// The identifier as it stands in the command. RFC 3461 §4.
    public var xtext: String {
        var encoded: [UInt8] = []
        for octet in text.utf8 {
            if Self.isXChar(octet) {
                encoded.append(octet)
            } else {
                encoded.append(UInt8(ascii: "+"))
                Hex.append(octet, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    // xchar = any ASCII CHAR between "!" and "~" inclusive, except for "+" and "="
    private static func isXChar(_ octet: UInt8) -> Bool {
        octet > ASCII.space && octet < ASCII.del && octet != UInt8(ascii: "+")
            && octet != ASCII.equals
    }

    private static let field = "The envelope ID"
}
