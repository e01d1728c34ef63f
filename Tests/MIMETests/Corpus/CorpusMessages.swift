import MartletTestSupport

/// The messages in the corpus.
enum CorpusMessages {
    private static let folders: [(path: String, isMessage: @Sendable (String) -> Bool)] = [
        ("cpython-email", { $0.contains("/msg_") }),
        ("enmime/dsn/testdata", { $0.hasSuffix(".raw") }),
        ("enmime/testdata", { $0.hasSuffix(".raw") }),
        ("mail-parser/eml", { $0.hasSuffix(".eml") }),
        ("mail-parser/maildir", { $0.contains("/cur/") || $0.contains("/new/") }),
        ("mailcore2/parser/input", { _ in true }),
        ("mailcore2/summary/input", { _ in true }),
        ("mime4j/testmsgs", { $0.hasSuffix(".msg") }),
        ("mimekit/dkim", { $0.hasSuffix(".msg") }),
        ("mimekit/messages", { !$0.contains("/body.") }),
        ("mimekit/partial", { $0.hasSuffix(".eml") }),
        ("mimekit/signed", { !$0.hasSuffix(".dat") }),
        ("mimekit/tnef", { $0.hasSuffix(".eml") }),
    ]

    /// Their paths; none without the corpus.
    static func paths() throws -> [String] {
        try folders.filter { Corpus.has($0.path) }.flatMap { folder in
            try Corpus.files(below: folder.path).filter(folder.isMessage)
        }
    }
}
