/// A command as a value: how it is written, what follows its reply's first line, and what the reply means.
///
/// A command is valid when it exists: nothing it holds can carry CR, LF or NUL.
public protocol POP3Command: Sendable {
    /// What a positive reply gives.
    associatedtype Success: Sendable

    /// The verb, such as `RETR`: errors show it.
    var name: String { get }
    /// What follows a positive reply's first line.
    var answer: POP3Answer { get }
    /// What the command does to the session.
    var effect: POP3Effect { get }

    /// Writes the whole line with its CRLF.
    func encode(into output: inout POP3Encoder)

    /// Reads the reply.
    ///
    /// - Throws: `.refused` and its kin when the server said no.
    func interpret(_ reply: POP3Reply) throws(POP3Error) -> Success
}

/// What follows the first line of a positive reply.
public enum POP3Answer: Hashable, Sendable {
    /// Nothing.
    case line
    /// Lines up to one with a single dot, kept in `POP3Reply.body`.
    case lines
    /// A message up to such a line, handed on while it comes.
    case message
}

/// What a command does to a session.
public enum POP3Effect: Hashable, Sendable {
    /// Nothing that lasts.
    case none
    /// Says what the server can do.
    case capabilities
    /// TLS follows a positive reply.
    case startTLS
    /// Begins a login that takes so many responses of the client before it can be done.
    case authentication(responsesDue: Int)
    /// Answers a challenge, or gives the login up.
    case authenticationResponse
    /// Logs in, if the reply is positive.
    case login
    /// Marks a message for deletion.
    case deletion
    /// Takes all marks off.
    case reset
    /// Ends the session; what is marked is deleted then.
    case quit

    /// May be sent before the replies to earlier commands came. RFC 2449 §6.6.
    var mayFollow: Bool {
        switch self {
        case .startTLS, .authentication, .authenticationResponse: false
        default: true
        }
    }

    /// May be followed by commands before its reply came. Some servers lose what comes right behind a login.
    var mayBeFollowed: Bool {
        switch self {
        case .none, .capabilities, .deletion, .reset: true
        default: false
        }
    }
}

extension POP3Command {
    /// One line.
    public var answer: POP3Answer { .line }
    /// Nothing that lasts.
    public var effect: POP3Effect { .none }

    /// Throws `.refused` unless the reply is positive.
    func requireOK(_ reply: POP3Reply) throws(POP3Error) {
        guard reply.isOK else { throw unwanted(reply) }
    }

    /// A refusal, or for a challenge where none makes sense a broken protocol.
    func unwanted(_ reply: POP3Reply) -> POP3Error {
        guard reply.status == .challenge else {
            return POP3Error(kind: .refused(reply), command: name)
        }
        return POP3Error(
            kind: .protocolViolation("gave an answer that makes no sense here: \(reply)"),
            command: name)
    }
}
