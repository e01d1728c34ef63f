import MartletSASL

extension POP3Reply {
    /// What a refused login means for the next attempt. RFC 3206, RFC 5034 §4.
    package var loginRefusal: SASLRefusal { SASLRefusal(reason, words: "\(self)") }

    private var reason: SASLRefusal.Reason {
        switch code {
        case .authentication: return .credentials
        case .inUse, .loginDelay, .systemTemporary, .systemPermanent: return .unavailable
        case let code? where code.name.hasPrefix("SYS/"): return .unavailable
        default: break
        }
        if POP3Advice.isSwitchedOff(self) || POP3Advice.isForNow(self) { return .unavailable }
        return POP3Advice.isUnknownCommand(self) ? .mechanism : .credentials
    }
}
