import MartletPOP3Core

/// Messages that are asked for one behind the other, many before the first has come.
struct Retrieval {
    private let numbers: [Int]
    private let bodyLines: Int?
    private let usesTop: Bool
    private var asked = 0
    private var answered = 0
    /// Where a server has no TOP: the start of the message that is coming.
    private var cut: HeaderCut?

    /// - Parameters:
    ///   - bodyLines: how much of the bodies; `nil`: whole messages.
    ///   - usesTop: whether the server cuts; else it is done here.
    init(_ numbers: [Int], bodyLines: Int?, usesTop: Bool) {
        self.numbers = numbers
        self.bodyLines = bodyLines
        self.usesTop = usesTop
    }

    /// Whether all came.
    var isDone: Bool { answered == numbers.count }

    /// Asks for as many as the session takes, once about half of those under way have come.
    mutating func ask(
        _ session: inout POP3Session, into output: inout POP3Encoder
    ) throws(POP3Error) {
        guard session.pendingReplyCount <= POP3Session.pipelineLimit / 2 else { return }
        while asked < numbers.count {
            if usesTop, let bodyLines {
                let command = try POP3.Top(numbers[asked], bodyLines: bodyLines)
                guard session.accepts(command) else { return }
                try session.submit(command, into: &output)
            } else {
                let command = try POP3.Retr(numbers[asked])
                guard session.accepts(command) else { return }
                try session.submit(command, into: &output)
            }
            asked += 1
        }
    }

    /// What an event means; `nil`: nothing that a caller wants.
    mutating func take(_ event: POP3Event) -> RetrievedPiece? {
        let number = numbers[answered]
        switch event {
        case .reply(let reply):
            guard reply.isOK else {
                answered += 1
                return .refused(number, reply)
            }
            if !usesTop, let bodyLines { cut = HeaderCut(bodyLines: bodyLines) }
            return .begins(number)
        case .octets(let octets):
            guard cut != nil else { return .octets(octets[...]) }
            let kept = cut?.take(octets) ?? []
            return kept.isEmpty ? nil : .octets(kept)
        case .messageEnds:
            answered += 1
            return .ends(number)
        }
    }
}

/// Some of what comes while messages are fetched, in the order in which they were asked for.
public enum RetrievedPiece: Hashable, Sendable {
    /// The message of that number begins.
    case begins(Int)
    /// The next octets of it, without doubled dots; line ends as the server writes them.
    case octets(ArraySlice<UInt8>)
    /// It is whole.
    case ends(Int)
    /// The server does not give it, and says why. The others come all the same.
    case refused(Int, POP3Reply)
}

/// A message that came, or its start.
public struct RetrievedMessage: Hashable, Sendable {
    /// Its number.
    public var number: Int
    /// Its octets; line ends as the server writes them. Empty where the server refused it.
    public var octets: [UInt8]
    /// What the server said in its place.
    public var refusal: POP3Reply?
}
