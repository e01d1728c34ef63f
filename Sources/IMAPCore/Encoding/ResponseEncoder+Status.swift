import MartletBytes

extension ResponseEncoder {
    mutating func write(_ response: TaggedResponse) {
        line(response.tag.utf8)
        write(" ")
        write(response.condition.rawValue)
        write(response.text)
    }

    mutating func write(_ response: UntaggedCondition) {
        write(response.kind.rawValue)
        write(response.text)
    }

    // SP resp-text
    private mutating func write(_ text: ResponseText) {
        write(" ")
        if let code = text.code {
            write("[")
            write(code)
            write(text.octets.isEmpty ? "]" : "] ")
        }
        line(text.octets)
    }

    private mutating func write(_ code: ResponseCode) {
        if let name = ResponseCode.namesWithoutArguments[code] { return write(name) }
        switch code {
        case .badCharset(let names): words("BADCHARSET", names)
        case .badEvent(let names): words("BADEVENT", names)
        case .capability(let capabilities):
            write("CAPABILITY")
            for word in capabilities { spaced { $0.line(word.description.utf8) } }
        case .permanentFlags(let flags):
            write("PERMANENTFLAGS ")
            write(flags)
        case .uidNext(let uid): value("UIDNEXT", UInt64(uid.rawValue))
        case .uidValidity(let validity): value("UIDVALIDITY", UInt64(validity.rawValue))
        case .unseen(let number): value("UNSEEN", UInt64(number.rawValue))
        case .highestModSeq(let modSeq): value("HIGHESTMODSEQ", modSeq.rawValue)
        case .appendUID(let validity, let uids):
            value("APPENDUID", UInt64(validity.rawValue))
            spaced { $0.numbers(uids) }
        case .copyUID(let copied):
            value("COPYUID", UInt64(copied.uidValidity.rawValue))
            spaced { $0.numbers(copied.source) }
            spaced { $0.numbers(copied.destination) }
        case .modified(let numbers):
            write("MODIFIED ")
            self.numbers(numbers)
        default: writeRare(code)
        }
    }

    private mutating func writeRare(_ code: ResponseCode) {
        switch code {
        case .badURL(let url): string("BADURL", url)
        case .undefinedFilter(let name): string("UNDEFINED-FILTER", name)
        case .referral(let url): string("REFERRAL", url)
        case .webAlert(let url): string("WEBALERT", url)
        case .noUpdate(let tag):
            write("NOUPDATE ")
            quoted(tag.utf8.map { $0.isControl ? ASCII.space : $0 })
        case .metadata(.longEntries(let size)): value("METADATA LONGENTRIES", size)
        case .metadata(.maximumSize(let size)): value("METADATA MAXSIZE", size)
        case .metadata(.tooMany): write("METADATA TOOMANY")
        case .metadata(.noPrivate): write("METADATA NOPRIVATE")
        case .inProgress(let progress): write(progress)
        case .messageLimit(let limit):
            value("MESSAGELIMIT", UInt64(limit.limit))
            if let uid = limit.lowestUID { spaced { $0.number(UInt64(uid.rawValue)) } }
        case .mailboxID(let id):
            write("MAILBOXID (")
            codeString(id.rawValue)
            write(")")
        case .urlMechanism(let text):
            write("URLMECH ")
            inner(text.utf8)
        case .other(let name, let octets):
            inner(name.utf8)
            if !octets.isEmpty { write(" ") }
            inner(octets)
        default: break
        }
    }

    private mutating func write(_ progress: CommandProgress) {
        write("INPROGRESS")
        guard progress != CommandProgress() else { return }
        write(" (")
        if let tag = progress.tag {
            quoted(tag.utf8.map { $0.isControl ? ASCII.space : $0 })
        } else {
            write("NIL")
        }
        for value in [progress.progress, progress.goal] {
            write(" ")
            if let value { number(UInt64(value)) } else { write("NIL") }
        }
        write(")")
    }

    /// Octets within a code: the bracket that would end it is left out.
    private mutating func inner(_ octets: some Sequence<UInt8>) {
        line(octets.lazy.filter { $0 != UInt8(ascii: "]") })
    }

    private mutating func value(_ name: StaticString, _ value: UInt64) {
        write(name)
        write(" ")
        number(value)
    }

    private mutating func string(_ name: StaticString, _ text: String) {
        write(name)
        write(" ")
        codeString(text)
    }

    private mutating func words(_ name: StaticString, _ words: [String]) {
        write(name)
        guard !words.isEmpty else { return }
        write(" ")
        parenthesized(words) { $0.codeString($1) }
    }
}
