import MartletBytes

/// What a person reads of one part.
struct ReadablePiece {
    let part: Part
    let text: String

    init(_ part: Part, _ text: String) {
        self.part = part
        self.text = text
    }
}

extension [ReadablePiece] {
    /// The pieces one below the other; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - htmlParts: HTML that takes the place of the pieces with which it is in an alternative, where those are blank:
    ///     some programs send an empty plain text beside the HTML.
    ///   - rendered: the text of such a part.
    func joined(insteadOfBlanks htmlParts: [Part], rendered: (Part) -> String) -> String? {
        var substitutes: [Int: [Part]] = [:]
        let shown = Set(map(\.part.index))
        for part in htmlParts where !shown.contains(part.index) {
            if let alternative = part.alternativeIndex {
                substitutes[alternative, default: []].append(part)
            }
        }
        if !substitutes.isEmpty {
            for piece in self where !piece.text.isBlankText {
                if let alternative = piece.part.alternativeIndex {
                    substitutes[alternative] = nil
                }
            }
        }
        var text = ""
        for piece in self {
            let html = piece.part.alternativeIndex.flatMap { substitutes.removeValue(forKey: $0) }
            let renderedHTML = html.map { $0.map(rendered) } ?? []
            let hasWords = renderedHTML.contains { !$0.isBlankText }
            for next in hasWords ? renderedHTML : [piece.text] {
                if let last = text.utf8.last, last != ASCII.lf { text += "\n" }
                text += next
            }
        }
        return isEmpty ? nil : text
    }
}

extension Part {
    /// The multipart/alternative that the part is in, the innermost; `nil` without one.
    fileprivate var alternativeIndex: Int? {
        var part = self
        while let parent = part.parent, parent.kind == .multipart {
            if parent.contentType.subtype == "alternative" { return parent.index }
            part = parent
        }
        return nil
    }
}
