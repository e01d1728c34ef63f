/// Gathers what SEARCH, SORT and ESEARCH say in answer to one command.
struct SearchGatherer: Sendable {
    let kind: SearchResponse.Kind
    let isUID: Bool
    /// The command's tag: what names another's is not an answer to it.
    var tag: String?
    private(set) var budget = GatheringBudget()
    /// Numbers of answers of the old kind, in their order.
    private(set) var plain: [UInt32] = []
    private(set) var hasPlain = false
    /// What answers of the new kind said, put together.
    private(set) var extended: ExtendedSearchResponse?
    private var plainModSeq: ModSequence?

    init(kind: SearchResponse.Kind, isUID: Bool) {
        self.kind = kind
        self.isUID = isUID
    }

    mutating func receive(_ response: IMAPResponse) -> Disposition {
        switch response {
        case .search(let answer) where answer.kind == kind:
            hasPlain = true
            if budget.take(4 * answer.numbers.count) { plain += answer.numbers }
            plainModSeq = [plainModSeq, answer.modSeq].compactMap { $0 }.max()
            return .consumed
        case .extendedSearch(let answer) where isOurs(answer):
            keep(answer)
            return .consumed
        default: return .unclaimed
        }
    }

    /// An answer that names no tag is this command's if its numbers are of the right kind. Updates are news.
    private func isOurs(_ answer: ExtendedSearchResponse) -> Bool {
        guard answer.mailbox == nil, answer.updates.isEmpty else { return false }
        guard let named = answer.tag, let tag else { return answer.isUID == isUID }
        return named == tag
    }

    private mutating func keep(_ answer: ExtendedSearchResponse) {
        let size =
            (answer.all?.roughSizeInOctets ?? 0) + 4 * answer.relevancies.count
            + (answer.partial?.numbers?.roughSizeInOctets ?? 0) + 200
        guard budget.take(size) else { return }
        guard var known = extended else { return extended = answer }
        known.minimum = [known.minimum, answer.minimum].compactMap { $0 }.min()
        known.maximum = [known.maximum, answer.maximum].compactMap { $0 }.max()
        known.count = answer.count ?? known.count
        known.modSeq = [known.modSeq, answer.modSeq].compactMap { $0 }.max()
        known.partial = answer.partial ?? known.partial
        if let all = answer.all {
            known.all = MessageNumberList(runs: (known.all?.runs ?? []) + all.runs)
        }
        known.relevancies += answer.relevancies
        extended = known
    }

    /// All numbers, in the order in which they were told.
    var list: MessageNumberList {
        MessageNumberList(runs: (extended?.all?.runs ?? []) + plain.map { .init($0, through: $0) })
    }

    /// All numbers, without their order.
    func numberSet<Number>(of _: Number.Type) -> MessageNumberSet<Number> {
        let set = MessageNumberSet<Number>(sorted: plain.sorted())
        guard let all = extended?.all else { return set }
        return set.union(MessageNumberSet(all))
    }

    var modSeq: ModSequence? { [extended?.modSeq, plainModSeq].compactMap { $0 }.max() }
}
