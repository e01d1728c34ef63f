import MartletBytes

/// What a server session wants of its shell.
public enum POP3ServerAction: Sendable {
    /// Write the output, do the TLS handshake, then call `tlsStarted()`.
    case startTLS
    /// A command came, by its verb in upper case, such as `RETR`; it is not done yet. Only where the configuration
    /// `asksBeforeCommands`. Answer with `.accept`, and it is done, or `.refuse`.
    case command(String)
    /// A login by SASL starts. Answer with `.challenge`, `.open` or `.refuse`.
    case authenticate(mechanism: String, initialResponse: Secret?)
    /// The client answered a challenge. Answer again.
    case authenticationResponse(Secret)
    /// The client gave the login up: forget it. No answer.
    case authenticationCancelled
    /// A login by `USER` and `PASS`, or by `APOP`. Answer with `.open` or `.refuse`.
    case logIn(POP3Login)
    /// A message is wanted, whole or its start. Answer with `.refuse`, or give it to `messagePiece` and `messageEnds`.
    case retrieve(number: Int, bodyLines: Int?)
    /// The client said QUIT: delete these messages, release the maildrop, and answer with `.accept` or `.refuse`.
    case commit(deleting: [Int])
    /// The session ended without QUIT: release the maildrop, delete nothing. No answer.
    case released
    /// There is much output: write it, then go on with `nextAction`. No answer.
    case flush
    /// Write the output and close the connection.
    case close
}

/// A shell's answer to the last action that asks for one.
public enum POP3ServerAnswer: Sendable {
    /// Yes.
    case accept
    /// The login is right, and this is the user's maildrop, locked for the session.
    case open(ServedMaildrop)
    /// No, with these words.
    case refuse(POP3Reply)
    /// The login goes on: send this (not encoded) and wait for the client's answer.
    case challenge([UInt8])
}

/// What a client claims by commands of POP3's own.
public enum POP3Login: Sendable {
    /// A password, to be compared.
    case password(user: String, Secret)
    /// A digest of the greeting's timestamp and the password.
    case digest(user: String, POP3Digest)

    /// Who logs in.
    public var user: String {
        switch self {
        case .password(let user, _), .digest(let user, _): user
        }
    }

    /// Whether the client knows `password`.
    public func isRight(_ password: Secret) -> Bool {
        switch self {
        case .password(_, let claimed): claimed == password
        case .digest(_, let digest): digest.isOf(password)
        }
    }
}

/// What a client computed for `APOP`. RFC 1939 §7.
public struct POP3Digest: Sendable {
    let timestamp: [UInt8]
    let claimed: Secret

    /// Whether it was made of this password.
    public func isOf(_ password: Secret) -> Bool {
        // Nobody knows a digest that cannot be computed.
        guard let right = try? POP3.Apop.digest(password: password, timestamp: timestamp) else {
            return false
        }
        return claimed == right
    }
}
