/// One command of IMAP: its arguments, how it is written, and what its answers mean. RFC 9051 §6.
public protocol IMAPCommand: Sendable {
    /// What gathers its answers.
    associatedtype Collector: ResponseCollector

    /// Its words, such as `UID FETCH`; errors and logs show them.
    var name: String { get }
    /// When it may be sent.
    var scope: CommandScope { get }
    /// What may be under way beside it.
    var order: CommandOrder { get }
    /// Whether it does no harm twice: it is sent again where a connection was lost before its answer came.
    var isRepeatable: Bool { get }
    /// What its success does to the connection.
    var effect: CommandEffect { get }

    /// Writes it, without tag and line end.
    ///
    /// - Throws: `IMAPError` with `.unsupported` where the server lacks what it needs, `.invalidInput` for what cannot
    ///   be sent. Nothing is sent then.
    func encode(into encoder: inout CommandEncoder) throws(IMAPError)

    /// Something empty to gather its answers in.
    func makeCollector() -> Collector
}

extension IMAPCommand {
    /// After login.
    public var scope: CommandScope { .authenticated }
    /// Anything may be under way.
    public var order: CommandOrder { [] }
    /// Yes, unless it names messages by numbers that a new connection may have changed.
    public var isRepeatable: Bool { !order.contains(.usesSequenceNumbers) }
    /// Nothing.
    public var effect: CommandEffect { .none }
}

/// The state a command needs. RFC 9051 §3.
public enum CommandScope: Hashable, Sendable {
    /// Any.
    case anyTime
    /// Before login.
    case notAuthenticated
    /// After login.
    case authenticated
    /// With a mailbox selected.
    case selected
}

/// What may be under way beside a command, so that no answer is taken for another's. RFC 9051 §5.5.
public struct CommandOrder: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes one.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It waits until nothing else is under way, and what comes later waits for its end.
    public static let exclusive = CommandOrder(rawValue: 1)
    /// It names messages by sequence number: it waits until nothing is under way that could change them.
    public static let usesSequenceNumbers = CommandOrder(rawValue: 2)
    /// While it runs, servers keep sequence numbers as they are: FETCH, STORE and SEARCH without UID. RFC 9051 §7.5.1.
    public static let keepsSequenceNumbers = CommandOrder(rawValue: 4)
}

/// What the success of a command does to the connection.
public enum CommandEffect: Hashable, Sendable {
    /// Nothing but its answer.
    case none
    /// TLS starts. RFC 9051 §6.2.1.
    case startTLS
    /// The client is logged in. RFC 9051 §6.2.2, §6.2.3.
    case authenticate
    /// The server tells what happens until `DONE`. RFC 2177.
    case idle
    /// Both sides compress. RFC 4978.
    case compress
    /// A mailbox is selected. RFC 9051 §6.3.2.
    case select(MailboxName)
    /// No mailbox is selected.
    case deselect
    /// The connection ends. RFC 9051 §6.1.3.
    case logout
    /// The client is logged in no more. RFC 8437.
    case unauthenticate
}

/// Gathers the answers to one command.
public protocol ResponseCollector: Sendable {
    /// What the command gives.
    associatedtype Output: Sendable

    /// Whether `response` is an answer to the command. Untagged responses come here in the order of the commands;
    /// what nobody claims is an event of the mailbox.
    mutating func receive(_ response: IMAPResponse) -> Disposition

    /// Whether the pieces of a large literal that begins belong to the command.
    mutating func claims(_ literal: DetachedLiteral) -> Bool

    /// Takes the next octets of a literal that was claimed.
    mutating func receiveLiteral(_ octets: ArraySlice<UInt8>)

    /// The literal that was claimed is over: all of it came, or it was given up.
    mutating func endLiteral()

    /// The command is sent with this tag: answers to some commands name it.
    mutating func start(tag: String)

    /// Set once more came than the collector keeps: the connection ends by it, since a server that does not stop would be
    /// listened to for ever.
    var excess: IMAPError? { get }

    /// What the command gives, once the server said `OK`.
    ///
    /// - Throws: `IMAPError`, such as `.missingResponse` where the server left out what it must say.
    consuming func finish(_ text: ResponseText) throws(IMAPError) -> Output
}

/// Whose a response is.
public enum Disposition: Hashable, Sendable {
    /// It is an answer to the command, and of no interest to others.
    case consumed
    /// It is not, or others should hear of it too.
    case unclaimed
}

extension ResponseCollector {
    /// No.
    public mutating func claims(_ literal: DetachedLiteral) -> Bool { false }
    /// Drops them.
    public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {}
    /// Nothing.
    public mutating func endLiteral() {}
    /// Nothing.
    public mutating func start(tag: String) {}
    /// None.
    public var excess: IMAPError? { nil }
}

/// For commands whose answer is `OK`.
public struct NoResponses: ResponseCollector {
    /// Makes one.
    public init() {}
    /// Takes an answer; see `ResponseCollector.receive(_:)`.
    public mutating func receive(_ response: IMAPResponse) -> Disposition { .unclaimed }
    /// What the command gives.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) {}
}
