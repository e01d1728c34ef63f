import MartletBytes
import MartletCharsetDetection
import MartletCommandLineParsing
import MartletFiles
import MartletMIME
import MartletText

/// `martlet parse`: what a message is made of.
enum ParseCommand: CommandRunner {
    static var definition: CommandDefinition {
        var parse = CommandDefinition(name: "parse", summary: "Show what a message is made of")
        parse.discussion = [
            "Reads one message and prints its main fields, the tree of its parts with their numbers and sizes, and "
                + "what is wrong with it. Nothing that is wrong makes it fail: damaged mail is read as well as it can be.",
            "Parts are numbered as IMAP does it: 2.1 is the first part of the second one, TEXT the whole body.",
            "Files are numbered in the order of the message: attachments, images in the text, and what is inside of a "
                + "winmail.dat or uuencoded or yEncoded in a text.",
        ]
        parse.arguments = [ParseOptions.message]
        parse.groups = [
            .init(
                "Output",
                [
                    ParseOptions.json, ParseOptions.part, ParseOptions.file, ParseOptions.text,
                    ParseOptions.headers, ParseOptions.schema,
                ])
        ]
        parse.exclusions = [ParseOptions.outputs]
        parse.examples = [
            .init("See the parts of a message", "martlet parse message.eml"),
            .init("Save an attachment", "martlet parse --file 1 message.eml > plan.pdf"),
            .init(
                "List what is wrong with it",
                "martlet parse --json message.eml | jq '.. | .defects? // empty'"),
        ]
        parse.exitStatuses =
            [ExitStatus.success, .usage, .badData, .unreadableInput, .outputLost, .interrupted]
            .rows(meaning: [
                .success: "The message was read, however damaged it is.",
                .badData: "The message has no such part or file.",
                .outputLost: "The result could not be written, as to a full disk.",
            ])
        return parse
    }

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        if parsed[ParseOptions.schema] {
            console.output(text: ParseSchema.text)
            return .success
        }
        let message = try await read(parsed[ParseOptions.message] ?? "-", console)
        if let number = parsed[ParseOptions.part] {
            try write(part: number, of: message, console)
        } else if let number = parsed[ParseOptions.file] {
            try write(file: number, of: message, console)
        } else if parsed[ParseOptions.json] {
            console.output(ParseJSON(message, detector: detector).value.text)
        } else if parsed[ParseOptions.text] {
            writeText(of: message, console)
        } else if parsed[ParseOptions.headers] {
            for field in message.header {
                console.output(
                    "\(Console.printable(field.name)): \(Console.printable(field.text.value))")
            }
        } else {
            console.output(text: ParseReport(message, detector: detector).text)
        }
        return .success
    }

    private static func read(_ path: String, _ console: Console) async throws -> Message {
        guard path == "-" else { return Message(parsing: Octets(try MappedFile(path: path))) }
        if console.isTyped {
            console.remark("Type the message with its header, then Ctrl-D on a line of its own.")
        }
        let spool = try Spool.reading(descriptor: 0)
        var parser = MessageParser()
        try await spool.forEachPiece(atMost: FileSource.pieceInOctets) { parser.receive($0) }
        return parser.finish()
    }

    private static let detector: CharsetDetector = { detectCharset($0) }

    private static func writeText(of message: Message, _ console: Console) {
        guard let text = message.readableText(detector: detector),
            hasInk(text)
        else { return console.remark("martlet: the message has no text.") }
        let shown = Console.printable(text, keepsDirections: !console.isShown)
        console.output(text: shown.utf8.last == ASCII.lf ? shown : shown + "\n")
    }

    /// Whether there is anything but blanks, line ends and controls. ASCII is looked at by octets: a text can be 100 MB of
    /// empty lines.
    private static func hasInk(_ text: String) -> Bool {
        let start = text.utf8.firstIndex { $0 > ASCII.space } ?? text.endIndex
        return text[start...].unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    private static func write(
        file number: String, of message: Message, _ console: Console
    ) throws {
        let files = message.attachedFiles
        guard let number = Int(number), files.indices.contains(number &- 1) else {
            throw CommandFailure(
                .badData,
                "there is no file \(number); the message has \(files.count == 1 ? "1 file" : "\(files.count) files").",
                kind: "noSuchFile")
        }
        files[number - 1].read { console.output(octets: Array($0)) }
    }

    private static func write(
        part number: String, of message: Message, _ console: Console
    ) throws {
        guard let part = message.part(number) else {
            let numbers = message.parts.prefix(20).map(\.section).joined(separator: ", ")
            throw CommandFailure(
                .badData, "there is no part \(number); the message has \(numbers).",
                kind: "noSuchPart")
        }
        if let inner = part.embeddedMessage {
            console.output(octets: inner.octets[inner.range])
        } else {
            console.output(octets: part.decodedBody().value)
        }
    }
}
