/// How the lines of a plain text are written. RFC 3676.
public enum TextFormat: Hashable, Sendable {
    /// As they are.
    case fixed
    /// `format=flowed`: each line of the text is a paragraph, cut into lines that readers join again and
    /// break at the width of their window. Blanks at the end of a line are dropped, but for `-- `.
    case flowed
    /// The same, also cut where there is no blank (`delsp=yes`): for languages that write none.
    case flowedDelSp
}

extension ContentTypeField {
    /// How the type says that the lines of its text are written. RFC 3676 §4.
    var textFormat: TextFormat {
        guard parameters["format"]?.lowercased() == "flowed" else { return .fixed }
        return parameters["delsp"]?.lowercased() == "yes" ? .flowedDelSp : .flowed
    }
}
