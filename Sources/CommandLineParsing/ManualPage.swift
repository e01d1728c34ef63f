extension CommandTable {
    /// The manual page of section 1 in roff's `man` macros.
    ///
    /// - Parameter date: the day the page speaks of, such as 2026-11-30.
    public func manualPage(date: String) -> String {
        var page = Roff()
        page.line(
            ".TH \(Roff.quoted(root.name.uppercased())) 1 \(Roff.quoted(date)) "
                + "\(Roff.quoted("\(root.name) \(version)")) \(Roff.quoted("User Commands"))")
        // No hyphenation and no stretched lines: options and addresses must stay whole.
        page.line(".nh")
        page.line(".ad l")
        page.section("NAME")
        page.text(
            "\(root.name) - \(root.summary.prefix(1).lowercased())\(root.summary.dropFirst())")
        page.section("SYNOPSIS")
        for (path, command) in leaves {
            for synopsis in synopses(of: command, at: path) { page.synopsis(synopsis) }
        }
        page.section("DESCRIPTION")
        for paragraph in root.discussion { page.paragraph(paragraph) }
        page.section("COMMANDS")
        for (path, command) in leaves { write(command, at: path, to: &page) }
        if !root.exitStatuses.isEmpty {
            page.section("EXIT STATUS")
            for status in root.exitStatuses { page.item("\(status.code)", status.meaning) }
        }
        if !root.examples.isEmpty {
            page.section("EXAMPLES")
            for example in root.examples { page.example(example) }
        }
        return page.text
    }

    private func write(_ command: CommandDefinition, at path: [String], to page: inout Roff) {
        page.line(".SS \(Roff.quoted(words(path)))")
        page.text(command.summary + ".")
        for paragraph in command.discussion { page.paragraph(paragraph) }
        for argument in command.arguments.map(\.definition) {
            page.item(argument.placeholder, argument.help)
        }
        for group in command.groups {
            page.paragraph(group.title + ":")
            for option in group.options.map(\.definition) {
                let short = option.short.map { "-\($0), " } ?? ""
                page.item(short + option.signature, option.fullHelp)
            }
        }
        for example in command.examples { page.example(example) }
    }
}

/// Text in roff's `man` macros.
private struct Roff {
    var text = ""

    mutating func line(_ line: String) { text += line + "\n" }

    mutating func section(_ title: String) { line(".SH \(Self.quoted(title))") }

    mutating func text(_ words: String) { line(Self.escaped(words)) }

    mutating func paragraph(_ words: String) {
        line(".PP")
        text(words)
    }

    mutating func synopsis(_ words: String) {
        line(".PP")
        line(".B " + Self.escaped(words))
    }

    mutating func item(_ term: String, _ meaning: String) {
        line(".TP")
        line(".B " + Self.escaped(term))
        text(meaning)
    }

    mutating func example(_ example: CommandDefinition.Example) {
        paragraph(example.purpose + ":")
        line(".PP")
        line(".RS 4")
        line(".nf")
        for row in example.line.split(separator: "\n") { text(String(row)) }
        line(".fi")
        line(".RE")
    }

    static func quoted(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }

    /// Text in which nothing means anything to roff: hyphens stay hyphens, so that options can be
    /// copied from the page.
    static func escaped(_ text: String) -> String {
        var escaped = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\n", "\r": escaped += " "
            case "\u{80}"...: escaped += Self.named(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The scalar by its number, since roff's input is ASCII: `\[u00DC]`.
    private static func named(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
}
