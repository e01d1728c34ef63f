import MartletBytes

/// The value of a `Return-Path` field: where reports about a message go, as its last server was told.
/// RFC 5321 §4.4, RFC 5322 §3.6.7.
public enum ReturnPath: Hashable, Sendable {
    /// `<>`: the message is itself a report, and nothing may be sent back.
    case null
    /// The sender's address.
    case mailbox(MailboxAddress)

    /// Reads the value of the field, as tolerantly as `AddressList` does. Never fails.
    ///
    /// - Returns: the path; `nil` with `invalidAddress` if it is none, as `<MAILER-DAEMON>` is.
    /// - Parameter limits: `valueSizeInOctets`.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<ReturnPath?> {
        var limits = limits
        limits.addressCount = 1
        var list = AddressList.parse(octets, limits: limits)
        if let mailbox = list.value.mailboxes.first {
            return Parsed(.mailbox(mailbox), defects: list.defects)
        }
        // path = "<" ">" ; comments may stand around it
        let isNull = octets.withFieldOctets(limit: limits.valueSizeInOctets) { octets in
            var scanner = AddressScanner(octets, keepsEncodedWords: false)
            var kinds: [AddressToken.Kind] = []
            while let token = scanner.next(), kinds.count < 3 {
                if token.kind != .comment { kinds.append(token.kind) }
            }
            return kinds == [.less, .greater]
        }
        if isNull { return Parsed(.null) }
        if list.defects.isEmpty { list.defects.append(Defect(.invalidAddress, at: 0)) }
        return Parsed(nil, defects: list.defects)
    }
}
