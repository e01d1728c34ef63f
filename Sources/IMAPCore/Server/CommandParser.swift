import MartletBytes

/// Reads the commands of clients.
///
///     switch try framer.next() {
///     case .command(let frame): let parsed = try parser.parse(frame)
///     …
///
/// Nothing recurses: what nests is limited by `SearchKey.depthLimit`.
public struct CommandParser: Sendable {
    /// Whether UTF-8 was agreed on (RFC 6855): names of mailboxes are then not in modified UTF-7.
    public var isUTF8: Bool
    /// The longest tag, in octets.
    public static let tagLimitInOctets = 64

    /// Makes a parser.
    public init(isUTF8: Bool = false) { self.isUTF8 = isUTF8 }

    /// Reads a command.
    ///
    /// - Parameter literals: what became of the literals that were handed on while they came, by their index.
    /// - Throws: `CommandProblem`, which says what to answer.
    public func parse(
        _ frame: ResponseFrame, literals: [any OctetSource] = []
    ) throws(CommandProblem) -> ReceivedCommand {
        var reader = reader(frame, literals)
        let tag = try Self.tag(&reader)
        do throws(CommandProblem) {
            try reader.space()
            let command = try Self.command(&reader)
            try reader.finish()
            return ReceivedCommand(tag: tag, command: command)
        } catch {
            var problem = error
            problem.tag = tag
            throw problem
        }
    }

    /// What can be told of a command before its literal has come: whether that is welcome depends on it.
    ///
    /// - Parameter frame: the start of a command, as `CommandFramer.Piece.continuationDue` has it.
    /// - Throws: `CommandProblem`, which says what to answer instead of a continuation.
    public func parseHead(_ frame: ResponseFrame) throws(CommandProblem) -> CommandHead {
        var reader = reader(frame, [])
        let tag = try Self.tag(&reader)
        do throws(CommandProblem) {
            try reader.space()
            var name = try reader.keyword()
            if name == "UID" {
                try reader.space()
                name += " " + (try reader.keyword())
            }
            guard Self.isKnown(name) else { throw .bad("Unknown command") }
            var head = CommandHead(tag: tag, name: name)
            if name == "APPEND", reader.spaceIfPresent() {
                // Where the name is the literal that waits, it is not there yet.
                head.mailbox = try? reader.mailbox()
            }
            return head
        } catch {
            var problem = error
            problem.tag = tag
            throw problem
        }
    }

    private func reader(
        _ frame: ResponseFrame, _ literals: [any OctetSource]
    ) -> CommandReader {
        CommandReader(
            cursor: IMAPCursor(frame, isUTF8: isUTF8, isStrict: true), isUTF8: isUTF8,
            literals: literals)
    }

    // tag = 1*<any ASTRING-CHAR except "+">
    private static func tag(_ reader: inout CommandReader) throws(CommandProblem) -> String {
        let octets = reader.cursor.prefix {
            ($0.isAtomOctet || $0 == UInt8(ascii: "]")) && $0 != UInt8(ascii: "+")
        }
        guard 1...tagLimitInOctets ~= octets.count else {
            throw .bad("A command begins with its tag")
        }
        return octets.text
    }

    private static func isKnown(_ name: String) -> Bool {
        name.hasPrefix("UID ")
            ? uidCommands[String(name.dropFirst(4))] != nil : commands[name] != nil
    }

    typealias Rule = @Sendable (inout CommandReader) throws(CommandProblem) -> ClientCommand

    private static func command(
        _ reader: inout CommandReader
    ) throws(CommandProblem) -> ClientCommand {
        let name = try reader.keyword()
        if name == "UID" {
            try reader.space()
            guard let rule = uidCommands[try reader.keyword()] else {
                throw .bad("Unknown UID command")
            }
            return try rule(&reader)
        }
        guard let rule = commands[name] else { throw .bad("Unknown command") }
        return try rule(&reader)
    }

    private static let commands: [String: Rule] =
        sessionCommands
        .merging(mailboxCommands) { first, _ in first }
        .merging(messageCommands) { first, _ in first }
        .merging(searchCommands) { first, _ in first }
        .merging(accessCommands) { first, _ in first }
}

/// What is known of a command that is not whole.
public struct CommandHead: Hashable, Sendable {
    /// Its tag.
    public var tag: String
    /// Its name in upper case, such as `APPEND` or `UID REPLACE`.
    public var name: String
    /// The mailbox that APPEND names, if its name has come.
    public var mailbox: MailboxName?
}
