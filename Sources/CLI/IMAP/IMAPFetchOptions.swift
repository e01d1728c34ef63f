import MartletCommandLineParsing
import MartletIMAP

/// What of messages to fetch, and where to put it.
enum IMAPFetchOptions {
    static let list = Switch(
        "list", help: "Only a line for each message: UID, flags, date, sender, subject.")
    static let structure = Switch(
        "structure", help: "Only what the messages are made of: each part with its number.")
    static let header = Switch("header", help: "Only the header.")
    static let part = Option(
        "part", .part,
        help: "Only this part by its number, such as 1.2, decoded. See --structure.")
    static let marksSeen = Switch(
        "mark-seen", help: "Mark what was fetched as read. Without it nothing is changed.")
    static let folder = Option(
        "folder", short: "o", .folder(),
        help:
            "Put each message into a file of this folder, named by its UID: 7.eml, or 7-1.2 for a part."
    )
    static let overwrites = Switch(
        "overwrite", help: "Replace files that are there; without it they are left, and an error.")

    static let what = CommandDefinition.Group(
        "What", [list, structure, header, part, marksSeen])
    static let destination = CommandDefinition.Group("Where", [folder, overwrites])

    static let exclusions: [[any OptionDeclaration]] = [
        [list, structure, header, part], [list, folder], [structure, folder],
    ]
}

extension ValueKind where Value == PartNumber {
    /// A part's number.
    static var part: Self {
        Self(placeholder: "PART") { text throws(ValueProblem) in
            guard let part = PartNumber(text), !part.path.isEmpty else {
                throw ValueProblem("is no part's number; one looks like 1 or 2.1")
            }
            return part
        }
    }
}
