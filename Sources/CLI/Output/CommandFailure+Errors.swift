import MartletCommandLineParsing
import MartletDomains
import MartletFiles
import MartletIMAP
import MartletMIME
import MartletPOP3
import MartletSMTP
import MartletTransport

extension CommandFailure {
    /// What any error means for the person and for the program that called: the one place that says so.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as SMTPError: self.init(error)
        case let error as IMAPError: self.init(error)
        case let error as POP3Error: self.init(error)
        case let error as TransportError: self.init(error)
        case let error as TLSFailure:
            self.init(
                ExitStatus(error), error.description, kind: "tls",
                recovery: "\(error.recovery)")
        case let error as CompositionError: self.init(error)
        case let error as AddressError:
            self.init(.badData, error.description, kind: "invalidAddress")
        case let error as DomainError:
            self.init(.badData, error.description, kind: "invalidDomain")
        case let error as FileError:
            self.init(
                error.recovery == .retry ? .tryLater : .unreadableInput, error.description,
                kind: "file", recovery: "\(error.recovery)")
        case let error as UsageError:
            self.init(.usage, error.message, kind: "usage")
        case is CancellationError:
            self.init(.interrupted, "Interrupted.", kind: "cancelled", recovery: "giveUp")
        default:
            self.init(.unavailable, "\(error)", kind: "unknown", recovery: "giveUp")
        }
    }

    private init(_ error: SMTPError) {
        // A file, a password or a composition that failed below has the better words and number.
        var isCancelled = false
        if case .cancelled = error.kind { isCancelled = true }
        if !isCancelled, let cause = error.underlying, Self.isBetterTold(cause) {
            self.init(cause)
            stage = "\(error.stage)"
            return
        }
        let recovery =
            switch error.recovery {
            case .retry: "retry"
            default: "\(error.recovery)"
            }
        self.init(
            ExitStatus(error), Self.message(of: error), kind: Self.kind(of: error),
            stage: "\(error.stage)", recovery: recovery)
    }

    /// The error's own sentence, unless the command line or the layer below has a better one.
    private static func message(of error: SMTPError) -> String {
        switch (error.kind, error.stage) {
        case (.plaintextAuthenticationNotAllowed, _):
            return plaintextMessage(error.server)
        case (.transport, .connect), (.transport, .tlsHandshake):
            guard let cause = error.underlying as? TransportError else { break }
            guard case .tls = cause.kind, let server = error.server else {
                return cause.description
            }
            return "\(server): \(cause.description)"
        default: break
        }
        return error.description
    }

    private init(_ error: IMAPError) {
        var isCancelled = false
        if case .cancelled = error.kind { isCancelled = true }
        if !isCancelled, let cause = error.underlying, Self.isBetterTold(cause) {
            self.init(cause)
            stage = error.command
            return
        }
        let recovery =
            switch error.recovery {
            case .retry: "retry"
            default: "\(error.recovery)"
            }
        self.init(
            ExitStatus(error), Self.message(of: error), kind: Self.kind(of: error),
            stage: error.command, recovery: recovery)
    }

    private init(_ error: POP3Error) {
        var isCancelled = false
        if case .cancelled = error.kind { isCancelled = true }
        if !isCancelled, let cause = error.underlying, Self.isBetterTold(cause) {
            self.init(cause)
            stage = error.command
            return
        }
        let recovery =
            switch error.recovery {
            case .retry: "retry"
            default: "\(error.recovery)"
            }
        var message = error.description
        if case .plaintextAuthenticationNotAllowed = error.kind {
            message = Self.plaintextMessage(error.server)
        }
        var kind = Self.name(of: error.kind)
        if let cause = error.underlying as? TransportError { kind = Self.kind(of: cause) }
        self.init(
            ExitStatus(error), message, kind: kind, stage: error.command, recovery: recovery)
    }

    /// Whether what lies beneath has the better words and number.
    private static func isBetterTold(_ cause: any Error) -> Bool {
        cause is CommandFailure || cause is FileError || cause is CompositionError
            || cause is DomainError
    }

    /// The error's own sentence, unless the command line or the layer below has a better one.
    private static func message(of error: IMAPError) -> String {
        switch error.kind {
        case .plaintextAuthenticationNotAllowed:
            return plaintextMessage(error.server)
        case .transport:
            guard let cause = error.underlying as? TransportError,
                error.command == "the connection" || error.command == "the TLS handshake"
            else { break }
            guard case .tls = cause.kind, let server = error.server else {
                return cause.description
            }
            return "\(server): \(cause.description)"
        default: break
        }
        return error.description
    }

    private static func plaintextMessage(_ server: String?) -> String {
        "the password would be sent to \(server ?? "the server") unencrypted. Use --tls starttls or "
            + "--tls implicit, or allow it by --allow-plaintext-login."
    }

    private static func kind(of error: IMAPError) -> String {
        if let cause = error.underlying as? TransportError { return kind(of: cause) }
        return name(of: error.kind)
    }

    private init(_ error: TransportError) {
        self.init(
            ExitStatus(error), error.description, kind: Self.kind(of: error),
            stage: error.stage.rawValue, recovery: "\(error.recovery)")
    }

    private init(_ error: CompositionError) {
        let status: ExitStatus =
            switch error.kind {
            case .unreadable, .contentShrank, .contentGrew: .unreadableInput
            default: .badData
            }
        if let cause = error.underlying as? FileError {
            self.init(cause)
        } else {
            self.init(
                status, error.description, kind: Self.name(of: error.kind),
                recovery: "\(error.recovery)")
        }
    }

    /// The most exact word there is: for a failed handshake that of TLS.
    private static func kind(of error: SMTPError) -> String {
        if let cause = error.underlying as? TransportError { return kind(of: cause) }
        return name(of: error.kind)
    }

    private static func kind(of error: TransportError) -> String {
        if case .tls(let failure) = error.kind { return name(of: failure.kind) }
        return name(of: error.kind)
    }

    /// The name of an enumeration's case, without what it carries.
    private static func name(of kind: some Any) -> String {
        String("\(kind)".prefix { $0 != "(" })
    }
}

extension ExitStatus {
    init(_ error: SMTPError) {
        if case .cancelled = error.kind {
            self = .interrupted
            return
        }
        // The message may be there already: nothing may make a script send it again.
        if error.deliveryIsUncertain {
            self = .protocolFailure
            return
        }
        switch error.kind {
        case .refused(let reply): self.init(refusal: reply, error.stage)
        case .allRecipientsRefused(let report): self.init(report)
        case .authenticationRefused(let reply):
            self = reply.isTransientFailure ? .tryLater : .credentialsRefused
        case .serviceClosing(let reply):
            self = reply.isPermanentFailure ? .unavailable : .tryLater
        case .plaintextAuthenticationNotAllowed: self = .usage
        case .noPassword: self = .unavailable
        case .noCommonMechanism, .tlsRequiredButNotOffered, .injectedPlaintext,
            .protocolViolation, .outOfOrder:
            self = .protocolFailure
        case .needsSMTPUTF8, .needs8BitMIME, .messageTooLarge, .invalidInput: self = .badData
        case .unexpectedClose, .timeout: self = .tryLater
        case .cancelled: self = .interrupted
        case .unreadableMessage: self = .unreadableInput
        case .transport:
            if let cause = error.underlying as? TransportError {
                self.init(cause)
            } else {
                self = .unavailable
            }
        }
    }

    init(_ error: IMAPError) {
        // Who obeys "later" would do it twice.
        guard !error.mayHaveBeenDone else {
            self = .protocolFailure
            return
        }
        switch error.kind {
        case .refused, .rejected:
            self =
                switch error.recovery {
                case .retry: .tryLater
                case .fixInput: .badData
                default: .unavailable
                }
        case .authenticationRefused:
            if case .retry = error.recovery { self = .tryLater } else { self = .credentialsRefused }
        case .serviceClosing, .unexpectedClose, .timeout, .uidValidityChanged: self = .tryLater
        case .plaintextAuthenticationNotAllowed: self = .usage
        case .noPassword, .unsupported: self = .unavailable
        case .noCommonMechanism, .tlsRequiredButNotOffered, .injectedPlaintext,
            .protocolViolation, .outOfOrder, .missingResponse:
            self = .protocolFailure
        case .invalidInput, .tooLarge: self = .badData
        case .cancelled: self = .interrupted
        case .unreadableMessage: self = .unreadableInput
        case .unwritableData: self = .outputLost
        case .transport:
            if let cause = error.underlying as? TransportError {
                self.init(cause)
            } else {
                self = .unavailable
            }
        }
    }

    init(_ error: POP3Error) {
        switch error.kind {
        case .refused:
            self =
                switch error.recovery {
                case .retry: .tryLater
                case .fixInput: .badData
                default: .unavailable
                }
        case .authenticationRefused:
            if case .retry = error.recovery { self = .tryLater } else { self = .credentialsRefused }
        // What was marked may be deleted: nothing may make a script do it again.
        case _ where error.deletionIsUncertain: self = .protocolFailure
        case .serviceClosing, .loginDelayed, .numbersVoid, .unexpectedClose, .timeout:
            self = .tryLater
        case .plaintextAuthenticationNotAllowed: self = .usage
        case .noPassword, .unsupported: self = .unavailable
        case .noCommonMechanism, .tlsRequiredButNotOffered, .injectedPlaintext,
            .protocolViolation, .outOfOrder:
            self = .protocolFailure
        case .invalidInput, .tooLarge: self = .badData
        case .cancelled: self = .interrupted
        case .unwritableData: self = .outputLost
        case .transport:
            if let cause = error.underlying as? TransportError {
                self.init(cause)
            } else {
                self = .unavailable
            }
        }
    }

    private init(refusal reply: SMTPReply, _ stage: SMTPStage) {
        if reply.isTransientFailure {
            self = .tryLater
        } else if reply.code == 530 || reply.code == 535 {
            self = .credentialsRefused
        } else {
            // 552: the message is too large, or the mailbox of everybody is full.
            let isAboutSize = reply.code == 552 && (stage == .mailFrom || stage == .endOfData)
            self = isAboutSize ? .badData : .unavailable
        }
    }

    init(_ error: TransportError) {
        self =
            switch error.kind {
            case .hostNotFound: .noSuchHost
            case .nameServiceUnavailable, .timedOut, .closedByPeer, .connectionReset, .closed,
                .tooManyOpenFiles:
                .tryLater
            case .tls(let failure): ExitStatus(failure)
            case .cancelled: .interrupted
            case .connectionRefused, .unreachable, .addressInUse, .permissionDenied,
                .cannotStartCommand, .system:
                .unavailable
            }
    }

    init(_ error: TLSFailure) {
        // A file of certificates that cannot be read or holds none.
        if case .invalidConfiguration = error.kind {
            self = .unreadableInput
        } else {
            self = .protocolFailure
        }
    }

    /// What became of a message as a number: a refusal for good outweighs one for now.
    init(_ report: DeliveryReport) {
        if report.allAccepted {
            self = .success
        } else if report.recipients.contains(where: \.isUncertain) {
            // Never "try later": no script shall send twice.
            self = .protocolFailure
        } else {
            self =
                report.refused.contains(where: \.isRefusedForGood) ? .recipientRefused : .tryLater
        }
    }
}
