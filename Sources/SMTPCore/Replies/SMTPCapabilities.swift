import MartletBytes

/// What a server said it can do, from its reply to EHLO. RFC 5321 §4.1.1.1.
public struct SMTPCapabilities: Hashable, Sendable {
    /// The server's name for itself: the first word of the reply.
    public private(set) var serverName = ""
    /// Every extension in the order given, with its parameters. Unknown ones are kept.
    public var extensions: [(keyword: SMTPExtension, parameters: [String])] {
        zip(keywords, parameterLists).map { ($0, $1) }
    }
    /// SASL mechanisms in upper case, in the order given, also those of the old `AUTH=` form.
    public private(set) var authenticationMechanisms: [String] = []
    /// The largest message the server takes, in octets; `nil`: it names no limit. RFC 1870 §4.
    public private(set) var maximumSizeInOctets: Int?

    private var keywords: [SMTPExtension] = []
    private var parameterLists: [[String]] = []
    // Asked for every message, so kept as bits.
    private(set) var supportsPipelining = false

    /// Nothing but what RFC 821 had: after HELO, and before EHLO.
    public init() {}

    /// Reads the reply to EHLO. Lines that are no extension are left out.
    public init(ehlo reply: SMTPReply) {
        let lines = reply.lines
        serverName = Self.words(lines[0]).first ?? ""
        for line in lines.dropFirst() {
            var words = Self.words(line)
            guard let first = words.first else { continue }
            // QUIRK(auth-equals): servers from before RFC 2554 say `AUTH=LOGIN PLAIN`.
            if let equals = first.utf8.firstIndex(of: ASCII.equals) {
                words[0] = String(first[..<equals])
                words.insert(String(first[equals...].dropFirst()), at: 1)
            }
            let keyword = SMTPExtension(words[0])
            add(keyword, words.dropFirst().filter { !$0.isEmpty })
        }
    }

    private mutating func add(_ keyword: SMTPExtension, _ parameters: [String]) {
        keywords.append(keyword)
        parameterLists.append(parameters)
        switch keyword {
        case .auth:
            for mechanism in parameters.map({ SMTPExtension($0).keyword })
            where !authenticationMechanisms.contains(mechanism) {
                authenticationMechanisms.append(mechanism)
            }
        case .size:
            // `SIZE` alone and `SIZE 0`: no limit is named.
            if let limit = parameters.first.flatMap({ Int($0) }), limit > 0 {
                maximumSizeInOctets = limit
            }
        case .pipelining: supportsPipelining = true
        default: break
        }
    }

    /// Whether the server offers `keyword`.
    public func has(_ keyword: SMTPExtension) -> Bool { keywords.contains(keyword) }

    /// The parameters of `keyword` in its first line, `nil` when it is not offered.
    public func parameters(of keyword: SMTPExtension) -> [String]? {
        keywords.firstIndex(of: keyword).map { parameterLists[$0] }
    }

    private static func words(_ line: [UInt8]) -> [String] {
        line.split(whereSeparator: \.isBlank).map { String(decoding: $0, as: UTF8.self) }
    }
}
