import MartletBytes

extension CommandEncoder {
    /// `CHARSET UTF-8 ` where it is needed, and the key in as few words as it needs.
    ///
    /// - Throws: `.unsupported` for criteria that the server does not know, `.invalidInput` for what cannot be sent, and
    ///   for keys that nest deeper than `SearchKey.depthLimit`.
    mutating func searchProgram(
        _ key: SearchKey, charset: SearchCharset
    ) throws(IMAPError) {
        if let name = charset.label(for: key, isUTF8: isUTF8) {
            text("CHARSET ")
            try checkedAtom(name, "charset")
            space()
        }
        try searchKey(key, charset: charset)
    }

    /// The key alone.
    mutating func searchKey(_ key: SearchKey, charset: SearchCharset) throws(IMAPError) {
        var writer = SearchKeyWriter(key.optimized.nodes, charset: charset)
        try writer.write(into: &self)
    }
}

/// Writes a key without recursion: what is still to be written stands on a stack.
private struct SearchKeyWriter {
    private enum Step {
        case key(depth: Int)
        /// So many keys, with OR between them: halves, and halves of those.
        case or(Int, depth: Int)
        /// So many keys, one after the other.
        case sequence(Int, depth: Int)
        case space
        case close
    }

    private let nodes: [SearchKey.Node]
    private let charset: SearchCharset
    private var steps: [Step] = []
    private var index = 0

    init(_ nodes: [SearchKey.Node], charset: SearchCharset) {
        self.nodes = nodes
        self.charset = charset
    }

    mutating func write(into encoder: inout CommandEncoder) throws(IMAPError) {
        if case .and(let count) = nodes[0] {
            // The outermost AND needs no parentheses.
            index = 1
            steps = [.sequence(count, depth: 0)]
        } else {
            steps = [.key(depth: 0)]
        }
        while let step = steps.popLast() {
            switch step {
            case .key(let depth): try writeKey(depth, into: &encoder)
            case .or(1, let depth): steps.append(.key(depth: depth))
            case .or(let count, let depth):
                try check(depth)
                encoder.text("OR ")
                steps += [
                    .or(count / 2, depth: depth + 1), .space,
                    .or(count - count / 2, depth: depth + 1),
                ]
            case .sequence(let count, let depth):
                if count > 1 { steps += [.sequence(count - 1, depth: depth), .space] }
                steps.append(.key(depth: depth))
            case .space: encoder.space()
            case .close: encoder.text(")")
            }
        }
    }

    private mutating func writeKey(
        _ depth: Int, into encoder: inout CommandEncoder
    ) throws(IMAPError) {
        try check(depth)
        let node = nodes[index]
        index += 1
        switch node {
        case .criterion(let criterion): try encoder.criterion(criterion, charset: charset)
        case .not:
            encoder.text("NOT ")
            steps.append(.key(depth: depth + 1))
        case .fuzzy:
            try encoder.require(.fuzzySearch)
            encoder.text("FUZZY ")
            steps.append(.key(depth: depth + 1))
        case .or(let count): steps.append(.or(count, depth: depth))
        case .and(let count):
            encoder.text("(")
            steps += [.close, .sequence(count, depth: depth + 1)]
        }
    }

    private func check(_ depth: Int) throws(IMAPError) {
        guard depth <= SearchKey.depthLimit else {
            throw .invalidInput(
                "what is searched for nests deeper than \(SearchKey.depthLimit) levels")
        }
    }
}
