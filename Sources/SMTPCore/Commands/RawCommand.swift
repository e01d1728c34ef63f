import MartletBytes

/// One line as a person typed it. The session still knows what DATA, AUTH, EHLO and so on lead to.
///
/// What follows `AUTH <mechanism>` and whole lines of a login are kept out of logs.
public struct RawCommand: SMTPCommand {
    private let line: LineText
    private let publicCount: Int
    /// From the verb.
    public let stage: SMTPStage

    /// Makes the command.
    ///
    /// - Parameters:
    ///   - line: without its line end.
    ///   - isAuthenticationResponse: whether it answers a challenge.
    /// - Throws: `.invalidInput` for a line that is empty, too long, or holds a control character, and for `BDAT`,
    ///   whose octets follow at once.
    public init(_ line: String, isAuthenticationResponse: Bool = false) throws(SMTPError) {
        let stage: SMTPStage =
            isAuthenticationResponse ? .authentication : try Self.stage(of: line)
        self.stage = stage
        self.line = try LineText(line, stage: stage, allowsNonASCII: true)
        if isAuthenticationResponse {
            publicCount = 0
        } else if stage == .authentication {
            let words = line.utf8.split(separator: ASCII.space, maxSplits: 2)
            publicCount = words.count > 2 ? line.utf8.count - words[2].count : line.utf8.count
        } else {
            publicCount = line.utf8.count
        }
    }

    private static func stage(of line: String) throws(SMTPError) -> SMTPStage {
        let verb = line.utf8.prefix { $0.isLetter }.map(\.uppercased)
        switch String(decoding: verb, as: UTF8.self) {
        case "EHLO": return .ehlo
        case "HELO": return .helo
        case "STARTTLS": return .startTLS
        case "AUTH": return .authentication
        case "MAIL": return .mailFrom
        case "RCPT": return .rcptTo
        case "DATA": return .data
        case "RSET": return .reset
        case "NOOP": return .noop
        case "VRFY": return .verify
        case "HELP": return .help
        case "QUIT": return .quit
        case "BDAT":
            throw SMTPError(
                kind: .invalidInput("BDAT cannot be typed: its octets follow at once"),
                stage: .other)
        default: return .other
        }
    }

    /// Writes the line.
    public func encode(into output: inout SMTPEncoder) {
        output.octets.append(contentsOf: line.text.utf8.prefix(publicCount))
        let secret = line.text.utf8.dropFirst(publicCount)
        if !secret.isEmpty { output.secret(secret) }
        output.endOfLine()
    }

    /// Gives the reply, whatever it is.
    public func interpret(_ reply: SMTPReply) -> SMTPReply { reply }
}
