import MartletBytes

/// Reads the clauses of a trace field. RFC 5321 §4.4.
struct ReceivedReader {
    private enum Clause { case start, from, by, via, with, id, recipient, other }

    let octets: FieldOctets
    var received = Received()
    private var clause = Clause.start
    /// How many words the clause has had.
    private var wordCount = 0
    private var with: [String] = []

    init(_ octets: FieldOctets) { self.octets = octets }

    mutating func read() -> Parsed<Received> {
        var scanner = TraceScanner(octets, range: 0..<octets.count)
        var dateStart: Int?
        while let item = scanner.next() {
            switch item.kind {
            case .semicolon: dateStart = dateStart ?? item.range.upperBound
            case .comma: break
            case .comment where dateStart == nil: readComment(item.range)
            case .word where dateStart == nil: readWord(item.range)
            default: readLateWord(item)
            }
        }
        received.with = with.joined(separator: " ").nonEmpty
        guard let dateStart else {
            return Parsed(received, defects: [Defect(.invalidDate, at: octets.count)])
        }
        var date = octets.withRange(dateStart..<octets.count) { octets in
            var reader = DateReader(octets)
            return reader.read()
        }
        for index in date.defects.indices { date.defects[index].offset += dateStart }
        received.date = date.value
        return Parsed(received, defects: date.defects)
    }

    private mutating func readWord(_ range: Range<Int>) {
        if let next = keyword(range) {
            // Who connected stands first; a later "from" is the sender's address.
            clause = next == .from && clause != .start ? .other : next
            wordCount = 0
            return
        }
        wordCount += 1
        let isFirst = wordCount == 1
        if clause != .id { readTLS(range) }
        switch clause {
        case .from where isFirst && received.from == nil: received.from = host(range)
        case .from: readClientWord(range, isFirst: false)
        case .by where isFirst && received.by == nil: received.by = host(range)
        case .via where isFirst && received.via == nil: received.via = octets.shown(range)
        case .with: with.append(octets.shown(range))
        case .id where isFirst && received.id == nil: received.id = octets.shown(unbracketed(range))
        case .recipient where isFirst && received.recipient == nil:
            received.recipient = octets.shown(unbracketed(range))
        default: break
        }
    }

    /// A word behind the semicolon: some servers have `for` behind the date.
    private mutating func readLateWord(_ item: TraceScanner.Item) {
        guard item.kind == .word else { return }
        if clause == .recipient, wordCount == 0, received.recipient == nil {
            wordCount = 1
            received.recipient = octets.shown(unbracketed(item.range))
        } else if item.range.count == 3, octets.has("for", at: item.range.lowerBound) {
            clause = .recipient
            wordCount = 0
        }
    }

    private func keyword(_ range: Range<Int>) -> Clause? {
        let start = range.lowerBound
        switch range.count {
        case 2 where octets.has("by", at: start): return .by
        case 2 where octets.has("id", at: start): return .id
        case 3 where octets.has("via", at: start): return .via
        case 3 where octets.has("for", at: start): return .recipient
        case 4 where octets.has("from", at: start): return .from
        case 4 where octets.has("with", at: start): return .with
        default: return nil
        }
    }

    // MARK: Comments

    private mutating func readComment(_ range: Range<Int>) {
        readTLS(range)
        guard clause == .from || clause == .start else { return }
        // Sendmail notes a message of a local user as "(from user@host)".
        let isWhole = clause == .start && octets.has("from ", at: range.lowerBound)
        var scanner = TraceScanner(octets, range: range)
        var words: [Range<Int>] = []
        while let item = scanner.next() {
            if item.kind == .word { words.append(item.range) }
        }
        if clause == .start {
            guard isWhole, words.count > 1 else { return }
            received.from = host(words[1])
            words.removeFirst(2)
        }
        var previous: Range<Int>?
        for (index, word) in words.enumerated() {
            defer { previous = word }
            if let previous, isHello(previous) {
                received.helo = received.helo ?? host(word)
            } else if let previous, octets.has("envelope-", at: previous.lowerBound) {
                continue
            } else if !isHello(word) {
                readClientWord(word, isFirst: index == 0 && clause == .from)
            }
        }
    }

    private func isHello(_ range: Range<Int>) -> Bool {
        let start = range.lowerBound
        return range.count == 4
            && (octets.has("helo", at: start) || octets.has("ehlo", at: start)
                || octets.has("lhlo", at: start))
    }

    // TCP-info = address-literal / ( Domain FWS address-literal ) ; RFC 5321 §4.4, and what servers put there
    private mutating func readClientWord(_ word: Range<Int>, isFirst: Bool) {
        let start = word.lowerBound
        for name in ["helo=", "ehlo="] as [StaticString] where octets.has(name, at: start) {
            received.helo = received.helo ?? host((start + 5)..<word.upperBound)
            return
        }
        if octets.has("ident=", at: start) || octets.has("ident:", at: start) {
            let isBracketed =
                octets[start + 6] == UInt8(ascii: "[")
                && octets[word.upperBound - 1] == UInt8(ascii: "]") && word.count > 7
            let ident =
                isBracketed ? (start + 7)..<(word.upperBound - 1) : (start + 6)..<word.upperBound
            received.ident = received.ident ?? octets.shown(ident)
            return
        }
        // host[192.0.2.1], user@[192.0.2.1]
        var name = word
        if let bracket = word.first(where: { octets[$0] == UInt8(ascii: "[") }) {
            received.address = received.address ?? address(bracket..<word.upperBound)
            name = unbracketed(start..<bracket)
        } else if let address = address(word) {
            received.address = received.address ?? address
            return
        }
        guard !name.isEmpty else { return }
        if name.contains(where: { octets[$0] == UInt8(ascii: "@") }) {
            let hasHost = octets[name.upperBound - 1] != UInt8(ascii: "@")
            let ident = octets.shown(
                name.lowerBound..<(hasHost ? name.upperBound : name.upperBound - 1))
            received.ident = received.ident ?? ident
        } else if isFirst, received.reverseName == nil, isHostName(name) {
            received.reverseName = octets.shown(name)
        }
    }

    // MARK: Values

    private func unbracketed(_ range: Range<Int>) -> Range<Int> {
        guard octets[range.lowerBound] == ASCII.less, range.count > 1 else { return range }
        let end = range.first { octets[$0] == ASCII.greater } ?? range.upperBound
        return (range.lowerBound + 1)..<end
    }

    private func host(_ range: Range<Int>) -> String? {
        address(range) ?? octets.shown(unbracketed(range)).nonEmpty
    }

    private func isHostName(_ range: Range<Int>) -> Bool {
        range.contains { octets[$0] == ASCII.dot }
            && range.allSatisfy {
                octets[$0].isLabelOctet || octets[$0] == ASCII.dot
            }
    }

    /// The IP address that a word is, in brackets or not.
    private func address(_ range: Range<Int>) -> String? {
        guard let inner = IPAddressText.find(in: octets, range) else { return nil }
        return octets.shown(inner)
    }
}

extension FieldOctets {
    /// `range` as text for a person, control characters as U+FFFD.
    func shown(_ range: Range<Int>) -> String {
        let text = text(range)
        return hasControlCharacter(text) ? shownText(self[range][...]) : text
    }

    /// Calls `body` with the octets of `range` alone.
    func withRange<Result>(_ range: Range<Int>, _ body: (FieldOctets) -> Result) -> Result {
        body(FieldOctets(buffer(range)))
    }
}
