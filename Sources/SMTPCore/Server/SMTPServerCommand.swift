import MartletBytes

/// A command as a server reads it. RFC 5321 §4.1.1.
enum SMTPServerCommand: Sendable {
    case ehlo(String)
    case helo(String)
    case lhlo(String)
    case startTLS
    case auth(mechanism: String, initialResponse: Secret?)
    case mail(ReversePath, MailParameters)
    case rcpt(ForwardPath)
    case data
    case reset
    case noop
    case quit
    case verify
    case help

    /// Its verb, in upper case.
    var verb: String {
        switch self {
        case .ehlo: "EHLO"
        case .helo: "HELO"
        case .lhlo: "LHLO"
        case .startTLS: "STARTTLS"
        case .auth: "AUTH"
        case .mail: "MAIL"
        case .rcpt: "RCPT"
        case .data: "DATA"
        case .reset: "RSET"
        case .noop: "NOOP"
        case .quit: "QUIT"
        case .verify: "VRFY"
        case .help: "HELP"
        }
    }

    /// What a client may say after the sender's path.
    struct MailParameters: Hashable, Sendable {
        /// RFC 1870 §6.
        var sizeInOctets: Int?
        /// RFC 6152 §2.
        var is8Bit = false
        /// RFC 6531 §3.4.
        var usesSMTPUTF8 = false
    }

    /// Why a line is no command: what to answer.
    struct Failure: Error {
        var code: Int
        var enhanced: (Int, Int, Int)
        var text: String

        static func syntax(_ text: String) -> Failure {
            Failure(code: 501, enhanced: (5, 5, 4), text: text)
        }
    }

    /// Reads a line without its line end.
    ///
    /// - Parameter extensions: what EHLO offered: parameters of anything else are refused. RFC 5321 §4.1.1.11.
    init(
        _ line: UnsafeBufferPointer<UInt8>, extensions: Set<SMTPExtension>
    ) throws(Failure) {
        guard !line.contains(where: { $0.isControl && $0 != ASCII.tab }),
            let text = String(validating: line, as: UTF8.self)
        else {
            throw Failure(
                code: 500, enhanced: (5, 5, 2), text: "Control characters or broken UTF-8")
        }
        let verb = text.utf8.prefix { !$0.isBlank }
        let argument = Self.trimmed(text[verb.endIndex...])
        switch String(decoding: verb.map(\.uppercased), as: UTF8.self) {
        case "EHLO": self = .ehlo(try Self.name(argument))
        case "HELO": self = .helo(try Self.name(argument))
        case "LHLO": self = .lhlo(try Self.name(argument))
        case "STARTTLS": self = try Self.alone(argument, .startTLS)
        case "AUTH": self = try Self.auth(argument)
        case "MAIL": self = try Self.mail(argument, extensions)
        case "RCPT": self = try Self.rcpt(argument, extensions)
        case "DATA": self = try Self.alone(argument, .data)
        case "RSET": self = try Self.alone(argument, .reset)
        case "QUIT": self = try Self.alone(argument, .quit)
        case "NOOP": self = .noop
        case "HELP": self = .help
        case "VRFY":
            guard !argument.isEmpty else { throw .syntax("VRFY needs a name") }
            self = .verify
        case "EXPN", "TURN", "ETRN", "BDAT", "SEND", "SOML", "SAML":
            throw Failure(code: 502, enhanced: (5, 5, 1), text: "Command not implemented")
        default: throw Failure(code: 500, enhanced: (5, 5, 2), text: "Command not recognized")
        }
    }

    private static func alone(
        _ argument: Substring, _ command: SMTPServerCommand
    ) throws(Failure) -> SMTPServerCommand {
        guard argument.isEmpty else { throw .syntax("This command takes no argument") }
        return command
    }

    // "EHLO" SP ( Domain / address-literal ) ; what it says is not checked further: §4.1.4 forbids to refuse for it
    private static func name(_ argument: Substring) throws(Failure) -> String {
        guard !argument.isEmpty else { throw .syntax("Say your name: EHLO host.example") }
        return String(argument)
    }

    // "AUTH" SP mechanism [SP initial-response] ; RFC 4954 §4
    private static func auth(_ argument: Substring) throws(Failure) -> SMTPServerCommand {
        let words = argument.utf8.split(separator: ASCII.space)
        guard 1...2 ~= words.count else { throw .syntax("AUTH mechanism [initial response]") }
        let mechanism = String(decoding: words[0].map(\.uppercased), as: UTF8.self)
        guard words.count == 2 else { return .auth(mechanism: mechanism, initialResponse: nil) }
        guard let response = secret(base64: words[1], emptyIsEquals: true) else {
            throw Failure(code: 501, enhanced: (5, 5, 2), text: "The response is not base64")
        }
        return .auth(mechanism: mechanism, initialResponse: response)
    }

    /// The octets behind base64 text, without a copy that outlives the call.
    static func secret(base64 text: some Collection<UInt8>, emptyIsEquals: Bool = false) -> Secret?
    {
        if emptyIsEquals, text.elementsEqual(CollectionOfOne(ASCII.equals)) {
            return Secret(octets: [])
        }
        return Base64.secret(text)
    }

    // "MAIL FROM:" Reverse-path [SP Mail-parameters] ; RFC 5321 §4.1.1.2
    private static func mail(
        _ argument: Substring, _ extensions: Set<SMTPExtension>
    ) throws(Failure) -> SMTPServerCommand {
        let (path, rest) = try path(argument, after: "FROM:", complaint: "MAIL FROM:<address>")
        var parameters = MailParameters()
        for parameter in rest.utf8.split(whereSeparator: \.isBlank) {
            let parts = parameter.split(separator: ASCII.equals, maxSplits: 1)
            let value = parts.count > 1 ? String(Substring(parts[1])) : nil
            let keyword = parts.first.map { SMTPExtension(String(Substring($0))) }
            switch keyword?.keyword {
            case "SIZE" where extensions.contains(.size):
                // size-value = 1*20DIGIT ; more than fits in 63 bits is more than fits anywhere.
                guard let value, 1...20 ~= value.utf8.count, value.utf8.allSatisfy(\.isDigit) else {
                    throw .syntax("SIZE=octets")
                }
                parameters.sizeInOctets = Int(value) ?? Int.max
            case "BODY" where extensions.contains(.eightBitMIME):
                switch value.map({ SMTPExtension($0).keyword }) {
                case "8BITMIME": parameters.is8Bit = true
                case "7BIT": parameters.is8Bit = false
                default: throw .syntax("BODY=7BIT or BODY=8BITMIME")
                }
            case "SMTPUTF8" where extensions.contains(.smtpUTF8) && value == nil:
                parameters.usesSMTPUTF8 = true
            case "RET" where extensions.contains(.dsn):
                guard let value, ["FULL", "HDRS"].contains(SMTPExtension(value).keyword) else {
                    throw .syntax("RET=FULL or RET=HDRS")
                }
            case "ENVID" where extensions.contains(.dsn):
                guard let value, isXText(value, limit: 100) else { throw .syntax("ENVID=xtext") }
            case "AUTH" where extensions.contains(.auth) && value != nil:
                break  // Whose mail a trusted relay passes on: of no use here. RFC 4954 §5.
            default:
                throw Failure(
                    code: 555, enhanced: (5, 5, 4), text: "Parameter not recognized")
            }
        }
        do {
            let reversePath = try ReversePath(String(path))
            if reversePath.needsSMTPUTF8, !parameters.usesSMTPUTF8 { throw Self.needsSMTPUTF8 }
            return .mail(reversePath, parameters)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(code: 501, enhanced: (5, 1, 7), text: "Bad sender address syntax")
        }
    }

    static let needsSMTPUTF8 = Failure(
        code: 553, enhanced: (5, 6, 7), text: "This address needs SMTPUTF8")

    // "RCPT TO:" Forward-path [SP Rcpt-parameters] ; RFC 5321 §4.1.1.3
    private static func rcpt(
        _ argument: Substring, _ extensions: Set<SMTPExtension>
    ) throws(Failure) -> SMTPServerCommand {
        let (path, rest) = try path(argument, after: "TO:", complaint: "RCPT TO:<address>")
        for parameter in rest.utf8.split(whereSeparator: \.isBlank) {
            let parts = parameter.split(separator: ASCII.equals, maxSplits: 1)
            let value = parts.count > 1 ? String(Substring(parts[1])) : ""
            switch parts.first.map({ SMTPExtension(String(Substring($0))).keyword }) {
            case "NOTIFY" where extensions.contains(.dsn):
                let known = ["NEVER", "SUCCESS", "FAILURE", "DELAY"]
                let words = value.split(separator: ",").map { SMTPExtension(String($0)).keyword }
                guard !words.isEmpty, words.allSatisfy(known.contains),
                    !words.contains("NEVER") || words.count == 1
                else { throw .syntax("NOTIFY=NEVER or a list of SUCCESS, FAILURE, DELAY") }
            case "ORCPT" where extensions.contains(.dsn):
                guard value.contains(";"), isXText(value, limit: 500) else {
                    throw .syntax("ORCPT=type;xtext")
                }
            default:
                throw Failure(code: 555, enhanced: (5, 5, 4), text: "Parameter not recognized")
            }
        }
        do {
            return .rcpt(try ForwardPath(String(path)))
        } catch {
            throw Failure(code: 501, enhanced: (5, 1, 3), text: "Bad recipient address syntax")
        }
    }

    // xtext = *( xchar / hexchar ) ; RFC 3461 §4
    private static func isXText(_ text: String, limit: Int) -> Bool {
        var rest = Array(text.utf8)[...]
        guard 1...limit ~= rest.count else { return false }
        while let octet = rest.popFirst() {
            guard (0x21...0x7E).contains(octet), octet != ASCII.equals else { return false }
            guard octet == UInt8(ascii: "+") else { continue }
            let digits = rest.prefix(2)
            let isHex = digits.allSatisfy {
                $0.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
            }
            guard digits.count == 2, isHex else { return false }
            rest = rest.dropFirst(2)
        }
        return true
    }

    // Path = "<" [ A-d-l ":" ] Mailbox ">" ; RFC 5321 §4.1.2
    private static func path(
        _ argument: Substring, after keyword: String, complaint: String
    ) throws(Failure) -> (path: Substring, rest: Substring) {
        let octets = argument.utf8
        guard octets.prefix(keyword.utf8.count).map(\.uppercased).elementsEqual(keyword.utf8) else {
            throw .syntax(complaint)
        }
        // A space after the colon is wrong and common.
        let text = trimmed(
            argument[octets.index(octets.startIndex, offsetBy: keyword.utf8.count)...])
        guard text.utf8.first == ASCII.less else { throw .syntax(complaint) }
        let inner = text.dropFirst()
        var isQuoted = false
        var isEscaped = false
        var routeEnd: Substring.Index?
        var index = inner.utf8.startIndex
        while index < inner.utf8.endIndex {
            let octet = inner.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if octet == ASCII.backslash { isEscaped = true }
                if octet == ASCII.quote { isQuoted = false }
            } else if octet == ASCII.quote {
                isQuoted = true
            } else if octet == ASCII.greater {
                break
            } else if octet == 0x3A, routeEnd == nil, inner.utf8.first == 0x40 {
                // A source route is read and dropped. RFC 5321 §4.1.1.3, appendix C.
                routeEnd = inner.utf8.index(after: index)
            }
            index = inner.utf8.index(after: index)
        }
        guard index < inner.utf8.endIndex else { throw .syntax(complaint) }
        let rest = inner[inner.utf8.index(after: index)...]
        guard rest.isEmpty || rest.utf8.first!.isBlank else { throw .syntax(complaint) }
        return (inner[(routeEnd ?? inner.startIndex)..<index], trimmed(rest))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var utf8 = text.utf8[...]
        while let first = utf8.first, first.isBlank { utf8.removeFirst() }
        while let last = utf8.last, last.isBlank { utf8.removeLast() }
        return Substring(utf8)
    }
}
