import Foundation
import Testing

/// What README and the reference show as Swift is what `Snippets/` holds, and that is built.
@Suite("Code in documents")
struct CodeTests {
    /// The code of a snippet, without the comment that says what it is.
    struct Snippet: Sendable {
        let name: String
        let lines: [String]

        init(_ name: String) throws {
            self.name = name
            let text = try Repository.text("Snippets/" + name)
            lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                .drop { $0.hasPrefix("//") }.reversed().drop { $0.isEmpty }.reversed()
        }

        func contains(_ block: [String]) -> Bool {
            block.count <= lines.count
                && (0...lines.count - block.count).contains {
                    lines[$0..<$0 + block.count].elementsEqual(block)
                }
        }

        static func all() throws -> [Snippet] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: Repository.root + "/Snippets")
            return try names.filter { $0.hasSuffix(".swift") }.map(Snippet.init)
        }
    }

    private func swiftBlocks(of path: String) throws -> [[String]] {
        try Markdown(of: path).blocks.filter { $0.language == "swift" }.map(\.lines)
    }

    @Test(
        "of the README is a whole snippet, or lines of a manifest with products that exist",
        arguments: ["README.md", "Packages/Frontmail/README.md"])
    func readme(path: String) throws {
        let snippets = try Snippet.all()
        let blocks = try swiftBlocks(of: path)
        #expect(blocks.count >= 2)
        for block in blocks {
            if block.first == "// Package.swift" {
                let names = block.joined().matches(of: #/\.product\(name: "(\w+)"/#).map(\.1)
                let products = try Repository.libraryProducts()
                #expect(!names.isEmpty)
                for name in names { #expect(products.contains(String(name))) }
            } else {
                #expect(
                    snippets.contains { $0.lines == block },
                    "no snippet is \(block.joined(separator: "\n"))")
            }
        }
    }

    @Test("of the reference is part of a snippet")
    func reference() throws {
        let snippets = try Snippet.all()
        let pages = Repository.paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
        #expect(!pages.isEmpty)
        for page in pages.sorted() {
            for block in try swiftBlocks(of: page) {
                #expect(
                    snippets.contains { $0.contains(block) },
                    "\(page): no snippet has \(block.joined(separator: "\n"))")
            }
        }
    }

    @Test("has a page in the reference for each library product")
    func catalogs() throws {
        for product in try Repository.libraryProducts() {
            let isNamedByFolder = product != "Martlet" && product.hasPrefix("Martlet")
            let folder = isNamedByFolder ? String(product.dropFirst(7)) : product
            let page = "Sources/\(folder)/\(product).docc/\(product).md"
            #expect(Repository.exists(page), "\(page) is missing")
        }
    }
}
