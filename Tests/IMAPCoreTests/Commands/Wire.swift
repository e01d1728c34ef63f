import MartletBytes
import MartletMIME
import Testing

@testable import MartletIMAPCore

/// What a command looks like on the wire, and what its answers give.
enum Wire {
    /// Everything that commands can need.
    static let everything = Capabilities(
        """
        IMAP4rev1 IMAP4rev2 CONDSTORE QRESYNC CREATE-SPECIAL-USE SPECIAL-USE LIST-EXTENDED LIST-STATUS LIST-MYRIGHTS
        LIST-METADATA XLIST NAMESPACE UNSELECT STATUS=SIZE STATUS=DELETED QUOTA QUOTA=RES-STORAGE OBJECTID APPENDLIMIT NOTIFY BINARY PREVIEW
        SAVEDATE X-GM-EXT-1 PARTIAL SEARCHRES ESEARCH SORT SORT=DISPLAY ESORT CONTEXT=SEARCH CONTEXT=SORT MULTISEARCH
        SEARCH=FUZZY FILTERS WITHIN THREAD=REFERENCES THREAD=ORDEREDSUBJECT THREAD=REFS MOVE UIDPLUS MULTIAPPEND CATENATE
        REPLACE ACL METADATA URLAUTH URLAUTH=BINARY JMAPACCESS LANGUAGE I18NLEVEL=2 ID ENABLE IDLE XYMHIGHESTMODSEQ STARTTLS
        COMPRESS=DEFLATE UNAUTHENTICATE
        """.split { $0 == " " || $0 == "\n" }.map { Capability($0) })

    /// Nothing but RFC 3501.
    static let basic = Capabilities([.imap4rev1])

    static func capabilities(_ words: String) -> Capabilities {
        Capabilities(words.split(separator: " ").map { Capability($0) })
    }

    /// The octets of a command. `|` stands for a line end, `↑` for waiting, `<n>` for a source.
    static func text(
        _ command: some IMAPCommand, _ capabilities: Capabilities = everything,
        enabled: Set<Capability> = [], literals: LiteralSupport? = .synchronizing
    ) throws(IMAPError) -> String {
        var encoder = CommandEncoder(
            capabilities: capabilities, enabled: enabled, literals: literals)
        try command.encode(into: &encoder)
        var text = ""
        for piece in encoder.finish() {
            switch piece {
            case .octets(let octets, _): text += shown(octets)
            case .waitForContinuation: text += "↑"
            case .source(let source):
                text += source.octetsInMemory.map(shown) ?? "<\(source.sizeInOctets)>"
            }
        }
        return text
    }

    private static func shown(_ octets: [UInt8]) -> String {
        octets.split(separator: ASCII.cr, omittingEmptySubsequences: false).map {
            let line = $0.first == ASCII.lf ? $0.dropFirst() : $0
            return String(decoding: line, as: UTF8.self)
        }.joined(separator: "|").replacing("\n", with: "␊").replacing("\0", with: "␀")
    }

    /// All octets, literals and sources included, as one command.
    static func octets(
        _ command: some IMAPCommand, _ capabilities: Capabilities = everything,
        enabled: Set<Capability> = [], literals: LiteralSupport? = .plus
    ) throws(IMAPError) -> [UInt8] {
        var encoder = CommandEncoder(
            capabilities: capabilities, enabled: enabled, literals: literals)
        try command.encode(into: &encoder)
        return encoder.finish().flatMap { piece -> [UInt8] in
            switch piece {
            case .octets(let octets, _): octets
            case .waitForContinuation: []
            case .source(let source): source.octetsInMemory ?? []
            }
        }
    }

    /// Why a command cannot be sent: the first word of the error.
    static func complaint(
        _ command: some IMAPCommand, _ capabilities: Capabilities = everything,
        enabled: Set<Capability> = []
    ) -> String {
        do throws(IMAPError) {
            return "sent: " + (try text(command, capabilities, enabled: enabled))
        } catch {
            return String("\(error.kind)".prefix { $0 != "(" })
        }
    }

    /// Reads lines as a server sends them.
    static func responses(_ lines: [String], isUTF8: Bool = false) -> [IMAPResponse] {
        lines.map { line in
            let octets = Array(line.replacing("|", with: "\r\n").utf8)
            return ResponseParser(isUTF8: isUTF8).parse(ResponseFrame(octets: octets[...]))
        }
    }

    /// What a command gives for these lines, the last of which is its end.
    static func output<Command: IMAPCommand>(
        _ command: Command, _ lines: [String]
    ) throws -> (output: Command.Collector.Output, unclaimed: Int) {
        var collector = command.makeCollector()
        collector.start(tag: "A1")
        var unclaimed = 0
        var end = ResponseText("")
        for response in responses(lines) {
            if case .tagged(let tagged) = response {
                end = tagged.text
            } else if collector.receive(response) == .unclaimed {
                unclaimed += 1
            }
        }
        return (try collector.finish(end), unclaimed)
    }
}

/// A command among others in a table.
struct Sample: CustomTestStringConvertible, Sendable {
    let command: any IMAPCommand
    let testDescription: String

    init(_ command: any IMAPCommand, _ description: String = "") {
        self.command = command
        testDescription = description.isEmpty ? command.name : description
    }

    static func list(_ commands: [any IMAPCommand]) -> [Sample] { commands.map { Sample($0) } }
}

extension UIDSet {
    /// `UIDSet.of("1:3")`.
    static func of(_ text: String) -> UIDSet { UIDSet(text)! }
}

extension SequenceSet {
    static func of(_ text: String) -> SequenceSet { SequenceSet(text)! }
}

extension MailboxName {
    static func of(_ text: String) -> MailboxName { try! MailboxName(text) }
}
