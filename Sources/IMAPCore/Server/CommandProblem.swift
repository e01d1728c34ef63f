/// Why a server does not do what a client wrote: what to answer.
public struct CommandProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The command's tag; `nil` where there is none, and the answer is untagged.
    public var tag: String?
    /// `BAD` for what cannot be understood, `NO` for what can and is not done.
    public var condition: StatusCondition
    /// The code and the words of the answer.
    public var text: ResponseText

    /// Makes one.
    public init(tag: String? = nil, _ condition: StatusCondition, _ text: ResponseText) {
        self.tag = tag
        self.condition = condition
        self.text = text
    }

    static func bad(_ words: String) -> CommandProblem {
        CommandProblem(.bad, ResponseText(words))
    }

    /// `BAD: nz-number expected at octet 12`.
    public var description: String { "\(condition.rawValue): \(text.words)" }
}
