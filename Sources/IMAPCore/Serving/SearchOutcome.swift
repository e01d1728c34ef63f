/// What a search or a sort found, and the answer that its client asked for. RFC 9051 §6.4.4, RFC 4731, RFC 5182, RFC 5267,
/// RFC 7162 §3.1.5, RFC 9394.
package struct SearchOutcome: Sendable {
    /// A message that was found.
    private struct Found: Sendable {
        var number: UInt32
        var uid: UID
        var modSeq: ModSequence
    }

    private let isUID: Bool
    private let hasModSeq: Bool
    /// In the order of the answer.
    private var found: [Found] = []

    /// Nothing found so far.
    ///
    /// - Parameters:
    ///   - isUID: whether the answer names UIDs.
    ///   - hasModSeq: whether it tells mod-sequences: `MessageSearch.asksForModSeq`.
    package init(isUID: Bool, hasModSeq: Bool) {
        self.isUID = isUID
        self.hasModSeq = hasModSeq
    }

    /// Takes a message: of a search in the order of the mailbox, of a sort in that asked for.
    package mutating func add(_ message: some MailboxMessage) {
        found.append(
            Found(
                number: isUID ? message.uid.rawValue : message.number.rawValue, uid: message.uid,
                modSeq: message.modSeq))
    }

    /// How many were found.
    package var count: Int { found.count }

    // MARK: Answers

    /// The answer without `RETURN`: `SEARCH` or `SORT`.
    package func response(_ kind: SearchResponse.Kind) -> SearchResponse {
        SearchResponse(kind, numbers: found.map(\.number), modSeq: highest(found[...]))
    }

    /// The answer to `RETURN`. What is not there is left out: `MIN`, `MAX` and `ALL` where nothing was found.
    package func response(to returning: SearchReturn, tag: String) -> ExtendedSearchResponse {
        var response = ExtendedSearchResponse(tag: tag, isUID: isUID)
        let options = returning.options
        if options.contains(.min) { response.minimum = found.first?.number }
        if options.contains(.max) { response.maximum = found.last?.number }
        if options.contains(.count) { response.count = UInt64(found.count) }
        if returning.wantsAll, !found.isEmpty { response.all = list(found[...]) }
        if let range = returning.partial {
            let part = found[places(of: range)]
            response.partial = PartialResult(
                first: range.first, last: range.last, numbers: part.isEmpty ? nil : list(part))
        }
        response.modSeq = highest(told(by: returning, isForSaving: false))
        return response
    }

    /// What `$` is from then on, if the client asked for that: all that was found, or where only the smallest, the largest or
    /// a part is told, that. RFC 5182 §2.4, RFC 9394 §3.2. `nil` without `SAVE`.
    package func saved(for returning: SearchReturn) -> UIDSet? {
        guard returning.options.contains(.save) else { return nil }
        return UIDSet(told(by: returning, isForSaving: true).map(\.uid))
    }

    /// Those that the answer is about.
    private func told(by returning: SearchReturn, isForSaving: Bool) -> [Found] {
        let options = returning.options
        if options.contains(.count) || returning.wantsAll { return found }
        let isAll = options.isDisjoint(with: [.min, .max]) && returning.partial == nil
        if isAll { return isForSaving ? found : [] }
        var told = returning.partial.map { Array(found[places(of: $0)]) } ?? []
        if options.contains(.min), let first = found.first { told.append(first) }
        if options.contains(.max), let last = found.last { told.append(last) }
        return told
    }

    /// The places in what was found that a part is; none where it is behind the end.
    private func places(of range: PartialRange) -> Range<Int> {
        let low = Int(min(range.first.magnitude, range.last.magnitude))
        let high = Int(max(range.first.magnitude, range.last.magnitude))
        let count = found.count
        return range.first > 0
            ? min(low - 1, count)..<min(high, count)
            : max(count - high, 0)..<max(count - low + 1, 0)
    }

    private func highest(_ found: some Sequence<Found>) -> ModSequence? {
        hasModSeq ? found.lazy.map(\.modSeq).max() : nil
    }

    /// The numbers in their order; those that follow each other are a run.
    private func list(_ found: ArraySlice<Found>) -> MessageNumberList {
        var runs: [MessageNumberList.Run] = []
        for message in found {
            if let last = runs.last, last.first <= last.last, last.last != .max,
                message.number == last.last + 1
            {
                runs[runs.count - 1].last = message.number
            } else {
                runs.append(MessageNumberList.Run(message.number, through: message.number))
            }
        }
        return MessageNumberList(runs: runs)
    }
}
