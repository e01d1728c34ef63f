import MartletBytes

/// What callers pass is looked at here, before it is written.
extension CommandEncoder {
    /// `UID ` for commands that name messages by UID, and the command's word.
    mutating func verb<Number: MessageNumber>(
        _ verb: StaticString, _: Number.Type
    ) throws(IMAPError) {
        if Number.isUID {
            text("UID ")
        } else if enabled.contains(.uidOnly) {
            throw IMAPError(kind: .outOfOrder("sequence numbers are switched off (UIDONLY)"))
        }
        text(verb)
    }

    /// The messages that a command is for.
    ///
    /// - Throws: `.invalidInput` for none, `.unsupported` for a saved result where none can be saved.
    public mutating func messages<Number>(
        _ selection: MessageSelection<Number>
    ) throws(IMAPError) {
        switch selection {
        case .numbers(let set):
            guard !set.isEmpty else { throw .invalidInput("no messages are named") }
            self.set(set)
        case .searchResult:
            try require(.searchRes)
            text("$")
        }
    }

    /// A flag or keyword that is to be set.
    ///
    /// - Throws: `.invalidInput` where it is none that a client can set.
    mutating func checkedFlag(_ flag: MessageFlag) throws(IMAPError) {
        guard flag.isWellFormed else {
            throw .invalidInput("\"\(flag)\" is no flag or keyword that can be set")
        }
        guard flag != .recent else { throw .invalidInput("\\Recent is set by servers alone") }
        self.flag(flag)
    }

    /// A word such as the name of a resource: it must be an atom.
    mutating func checkedAtom(_ word: String, _ what: StaticString) throws(IMAPError) {
        guard !word.isEmpty, word.utf8.count <= Self.quotedLimitInOctets,
            word.utf8.allSatisfy(\.isAtomOctet)
        else { throw .invalidInput("\"\(word.excerpt)\" is no \(what)") }
        raw(word.utf8)
    }

    /// A string of any text but NUL; with line ends or beyond ASCII it may become a literal.
    mutating func checkedString(_ string: String, _ what: StaticString) throws(IMAPError) {
        guard !string.utf8.contains(ASCII.nul) else {
            throw .invalidInput("\(what) cannot hold NUL")
        }
        self.string(string.utf8)
    }

    /// The longest name or URL that a command takes from a caller, in octets.
    public static let nameLimitInOctets = 4_096

    /// A name: text on one line.
    mutating func checkedName(
        _ name: String, _ what: StaticString, mayBeEmpty: Bool = false
    ) throws(IMAPError) {
        guard mayBeEmpty || !name.isEmpty else { throw .invalidInput("\(what) cannot be empty") }
        guard name.utf8.count <= Self.nameLimitInOctets else {
            throw .invalidInput(
                "\(what) cannot be longer than \(Self.nameLimitInOctets) octets")
        }
        guard name.utf8.allSatisfy({ !$0.isControl }) else {
            throw .invalidInput("\(what) cannot hold control characters or line ends")
        }
        astring(name.utf8)
    }

    /// A URL: printable ASCII without spaces.
    mutating func checkedURL(_ url: String) throws(IMAPError) {
        guard !url.isEmpty, url.utf8.count <= Self.nameLimitInOctets,
            url.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del })
        else {
            throw .invalidInput(
                "a URL is printable ASCII without spaces, up to \(Self.nameLimitInOctets) octets")
        }
        string(url.utf8)
    }
}

extension MessageNumber {
    /// Whether it is the number that a `UID` command takes.
    package static var isUID: Bool { Self.self == UID.self }
}

extension String {
    /// The start of it, for a message to a person.
    var excerpt: String {
        let start = unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : String($0) }.joined()
        return unicodeScalars.count > 60 ? start + "…" : start
    }
}
