import MartletCommandLineParsing

/// The options of `martlet parse`.
enum ParseOptions {
    static let json = Switch(
        "json",
        help:
            "Print header fields, the tree of parts, sizes and defects as a JSON object; --schema describes it."
    )
    static let part = Option(
        "part", short: "p", .text("NUMBER"),
        help:
            "Write the decoded body of a part to standard output, such as 2.1; the tree has the numbers. A message "
            + "inside of the message is written whole; a multipart, such as TEXT often is, as it stands, with all its "
            + "parts and the lines between them.")
    static let file = Option(
        "file", .text("NUMBER"),
        help:
            "Write a file that came with the message to standard output, decoded; the list of files has the numbers."
    )
    static let text = Switch(
        "text", short: "t",
        help:
            "Print what a person would read, as UTF-8; of HTML what it says, without pictures. Control characters are "
            + "\"?\"; on a terminal so are those that turn the direction of text.")
    static let headers = Switch(
        "headers", help: "Print the header fields, decoded and unfolded, a line each.")
    static let schema = Switch(
        "schema", help: "Print the JSON schema of what --json prints. No message is read.")

    static let message = Argument(
        .file(), help: "A file with one message; standard input without it or for \"-\".")

    /// Each asks for another output.
    static let outputs: [any OptionDeclaration] = [json, part, file, text, headers, schema]
}
