/// The numbers that `martlet` ends with: those of sysexits.h where it has one for the purpose.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done; every recipient was accepted.
    case success = 0
    /// The command line cannot be followed (EX_USAGE).
    case usage = 64
    /// An address, subject or message cannot be sent (EX_DATAERR).
    case badData = 65
    /// A file or standard input cannot be read (EX_NOINPUT).
    case unreadableInput = 66
    /// A recipient was refused for good (EX_NOUSER).
    case recipientRefused = 67
    /// There is no such host (EX_NOHOST).
    case noSuchHost = 68
    /// The server or a program is unavailable, or refuses to serve (EX_UNAVAILABLE).
    case unavailable = 69
    /// The result could not be written (EX_IOERR).
    case outputLost = 74
    /// It may work later (EX_TEMPFAIL).
    case tryLater = 75
    /// The server breaks the protocol, or TLS failed (EX_PROTOCOL).
    case protocolFailure = 76
    /// The credentials were refused (EX_NOPERM).
    case credentialsRefused = 77
    /// The person interrupted: 128 and SIGINT's number, as shells count.
    case interrupted = 130

    /// When it is given, for help and manual.
    var meaning: String {
        switch self {
        case .success: "Everything was done; every recipient was accepted."
        case .usage: "The command line cannot be followed."
        case .badData: "An address, a subject or the message cannot be sent as it is."
        case .unreadableInput: "A file or standard input cannot be read."
        case .recipientRefused:
            "A recipient was refused for good; the others have their copy, and each is named."
        case .noSuchHost: "There is no host of that name."
        case .unavailable:
            "The server cannot be reached or refuses to serve, or the password command failed."
        case .outputLost:
            "The result could not be written, as to a full disk; what it tells of was done."
        case .tryLater: "It did not work now and may work later."
        case .protocolFailure:
            "The server breaks the protocol, TLS failed, or the last reply was lost: then the message may be there."
        case .credentialsRefused: "The user name or password was refused."
        case .interrupted: "Interrupted by Ctrl-C; 143 by SIGTERM."
        }
    }
}
