import Foundation

/// The files of this repository, by path from its root.
enum Repository {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    /// What `martlet help` prints, kept by the command's own tests.
    static let helpTexts = "Tests/CLITests/Goldens"

    /// The folders whose files are our own.
    private static let folders = [
        "Sources", "Tests", "Scripts", "Snippets", "Fuzz", "Benchmarks",
    ]

    /// Every file and folder below `folders`.
    static let paths: Set<String> = {
        var paths = Set(folders)
        for folder in folders {
            let names = FileManager.default.enumerator(atPath: root + "/" + folder)
            while let name = names?.nextObject() as? String {
                if name.hasPrefix(".build") { continue }
                paths.insert(folder + "/" + name)
            }
        }
        return paths
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + path)
    }

    /// Whether a file or folder is called so, in full or without the folders in front.
    static func has(_ path: Substring) -> Bool {
        let path = path.hasSuffix("/") ? path.dropLast() : path
        return exists(String(path)) || paths.contains { $0.hasSuffix("/" + path) }
    }

    /// Documents that people read.
    static let documents = ["README.md", "ARCHITECTURE.md", "RFCs.md", "CHANGELOG.md"]

    /// Library products as the manifest has them.
    static func libraryProducts() throws -> [String] {
        try text("Package.swift").matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.1) }
    }
}

/// What a Markdown text holds.
struct Markdown {
    /// A fenced block.
    struct Block {
        var language: String
        var lines: [String]
    }

    private(set) var blocks: [Block] = []
    /// `code` in running text.
    private(set) var codeSpans: [Substring] = []
    /// Cells of tables, without the headings.
    private(set) var rows: [[String]] = []

    init(_ text: String) {
        var block: Block?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let done = block {
                    blocks.append(done)
                    block = nil
                } else {
                    block = Block(language: String(line.dropFirst(3)), lines: [])
                }
            } else if block != nil {
                block?.lines.append(String(line))
            } else {
                codeSpans += line.matches(of: #/`([^`]+)`/#).map(\.1)
                guard line.hasPrefix("| "), line.hasSuffix(" |") else { continue }
                rows.append(
                    line.dropFirst().dropLast().split(separator: "|").map {
                        $0.trimmingCharacters(in: .whitespaces)
                    })
            }
        }
    }

    init(of path: String) throws { self.init(try Repository.text(path)) }
}
