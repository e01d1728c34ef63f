import MartletBytes

extension ResponseEncoder {
    mutating func write(_ search: SearchResponse) {
        write(search.kind.rawValue)
        for number in search.numbers { spaced { $0.number(UInt64(number)) } }
        if let modSeq = search.modSeq {
            write(" (MODSEQ ")
            number(modSeq.rawValue)
            write(")")
        }
    }

    mutating func write(_ search: ExtendedSearchResponse) {
        write("ESEARCH")
        correlator(of: search)
        if search.isUID { write(" UID") }
        item(" MIN ", search.minimum.map { UInt64($0) })
        item(" MAX ", search.maximum.map { UInt64($0) })
        item(" COUNT ", search.count)
        item(" MODSEQ ", search.modSeq?.rawValue)
        if let all = search.all {
            write(" ALL ")
            numbers(all)
        }
        if let partial = search.partial {
            write(" PARTIAL (\(partial.first):\(partial.last) ")
            if let numbers = partial.numbers { self.numbers(numbers) } else { write("NIL") }
            write(")")
        }
        for update in search.updates {
            write(" ")
            write(update.kind.rawValue)
            write(" (")
            number(UInt64(update.position))
            spaced { $0.numbers(update.numbers) }
            write(")")
        }
        if !search.relevancies.isEmpty {
            write(" RELEVANCY ")
            parenthesized(search.relevancies) { $0.number(UInt64($1)) }
        }
        for other in search.others { spaced { $0.extended(other) } }
    }

    private mutating func correlator(of search: ExtendedSearchResponse) {
        var words: [(inout ResponseEncoder) -> Void] = []
        if let tag = search.tag {
            words.append {
                $0.write("TAG ")
                $0.string(tag.utf8)
            }
        }
        if let mailbox = search.mailbox {
            words.append {
                $0.write("MAILBOX ")
                $0.mailbox(mailbox)
            }
        }
        if let validity = search.uidValidity {
            words.append {
                $0.write("UIDVALIDITY ")
                $0.number(UInt64(validity.rawValue))
            }
        }
        guard !words.isEmpty else { return }
        write(" ")
        parenthesized(words) { $1(&$0) }
    }

    private mutating func item(_ name: StaticString, _ value: UInt64?) {
        guard let value else { return }
        write(name)
        number(value)
    }

    /// Threads, with a list of what is still to be written instead of calls: no depth is too deep.
    mutating func write(_ nodes: [ThreadNode]) {
        var children = [[Int]](repeating: [], count: nodes.count)
        var roots: [Int] = []
        for (place, node) in nodes.enumerated() {
            // A node stands behind the one it answers.
            if let parent = node.parent, nodes[..<place].indices.contains(parent) {
                children[parent].append(place)
            } else {
                roots.append(place)
            }
        }
        enum Step {
            case open(Int)
            case node(Int)
            case close
        }
        write("THREAD")
        if !roots.isEmpty { write(" ") }
        var steps = roots.reversed().map(Step.open)
        while let step = steps.popLast() {
            switch step {
            case .close: write(")")
            case .open(let place):
                write("(")
                steps.append(.close)
                steps.append(.node(place))
            case .node(let place):
                if let number = nodes[place].number { self.number(UInt64(number)) }
                let answers = children[place]
                if nodes[place].number != nil, !answers.isEmpty { write(" ") }
                if answers.count == 1, nodes[place].number != nil, nodes[answers[0]].number != nil {
                    steps.append(.node(answers[0]))
                } else {
                    steps += answers.reversed().map(Step.open)
                }
            }
        }
    }
}
