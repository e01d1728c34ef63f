import MartletMIME

extension MailDate {
    // date-time = DQUOTE date-day-fixed "-" date-month "-" date-year SP time SP zone DQUOTE
    /// `17-Jul-1996 02:44:25 -0700`, what stands between the quotes. RFC 9051 §9 `date-time`.
    var internalDateText: String {
        // The parts of `Wed, 17 Jul 1996 02:44:25 -0700`.
        let parts = text.split(separator: " ")
        guard parts.count == 6 else { return text }
        let day = (parts[1].utf8.count == 1 ? " " : "") + parts[1]
        return "\(day)-\(parts[2])-\(parts[3]) \(parts[4]) \(parts[5])"
    }
}
