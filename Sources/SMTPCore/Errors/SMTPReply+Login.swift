import MartletMIME
import MartletSASL

extension SMTPReply {
    /// What a refused login means for the next attempt. RFC 4954 §4, §6.
    package var loginRefusal: SASLRefusal { SASLRefusal(reason, words: "\(self)") }

    private var reason: SASLRefusal.Reason {
        if SMTPAdvice.loginIsDisabled(self) { return .unavailable }
        switch code {
        // Not known here after all, too weak, or only for encrypted connections: another one may do.
        case 500...504, 534, 538: return .mechanism
        // 4.7.12: the server has the password in a form of old; once by PLAIN brings it the new one.
        case 432: return .mechanism
        case 530: return .unavailable
        default: break
        }
        if enhanced == EnhancedStatusCode(5, 7, 9) || enhanced == EnhancedStatusCode(5, 7, 11) {
            return .mechanism
        }
        return isTransientFailure ? .unavailable : .credentials
    }
}
