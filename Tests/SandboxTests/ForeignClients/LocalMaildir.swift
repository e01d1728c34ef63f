import MartletBytes
import MartletTestSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A Maildir beside a client, as a test changes and compares it. It reads names and files by itself.
struct LocalMaildir {
    let path: String
    private var lastAdded = 0

    /// A message's file.
    struct File {
        var folder: String
        var name: String
        var octets: [UInt8]

        var subject: String {
            text(octets).split(whereSeparator: \.isNewline).first { $0.hasPrefix("Subject: ") }
                .map { String($0.dropFirst(9)) } ?? ""
        }
        var unique: Substring { name.split(separator: ":", maxSplits: 1)[0] }
        var flags: String {
            name.split(separator: ":2,", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        }
    }

    /// Opens one, or makes it.
    init(_ path: String) throws {
        self.path = path
        for folder in ["", "/tmp", "/new", "/cur"] { mkdir(path + folder, 0o700) }
    }

    func files() throws -> [File] {
        try ["new", "cur"].flatMap { folder in
            try namesInFolder(path + "/" + folder).filter { !$0.hasPrefix(".") }.sorted().map {
                File(
                    folder: folder, name: $0, octets: try octets(ofFile: "\(path)/\(folder)/\($0)"))
            }
        }
    }

    /// What it holds, for a comparison: messages with their flags, in no order.
    func summary() throws -> [String] {
        try files().map { file in
            let flags = file.flags.filter { "DFRST".contains($0) }
            return String(flags.sorted()) + " " + withoutMarks(file.octets)
        }.sorted()
    }

    /// Puts a message in, as programs do that deliver.
    mutating func add(_ octets: [UInt8]) throws {
        lastAdded += 1
        let name = "1796000000.M\(lastAdded)P1.client"
        try write(octets, toFile: path + "/tmp/" + name)
        rename(path + "/tmp/" + name, path + "/new/" + name)
    }

    func file(ofSubject subject: String) throws -> File {
        guard let file = try files().first(where: { $0.subject == subject }) else {
            throw Missing(subject: subject)
        }
        return file
    }

    func setFlags(_ flags: String, ofSubject subject: String) throws {
        let file = try file(ofSubject: subject)
        rename("\(path)/\(file.folder)/\(file.name)", "\(path)/cur/\(file.unique):2,\(flags)")
    }

    func remove(subject: String) throws {
        let file = try file(ofSubject: subject)
        unlink("\(path)/\(file.folder)/\(file.name)")
    }

    /// Moves a message's file into another one, under a new name, as mail readers do.
    func move(subject: String, to other: inout LocalMaildir) throws {
        let file = try file(ofSubject: subject)
        other.lastAdded += 1
        rename(
            "\(path)/\(file.folder)/\(file.name)",
            "\(other.path)/cur/1796000000.M\(other.lastAdded)P2.client:2,\(file.flags)")
    }

    struct Missing: Error { var subject: String }
}

extension [ServedLetter] {
    /// The same for what the sandbox serves.
    var summary: [String] {
        let letters: [(flag: String, letter: Character)] = [
            ("\\Draft", "D"), ("\\Flagged", "F"), ("\\Answered", "R"), ("\\Seen", "S"),
            ("\\Deleted", "T"),
        ]
        return map { message in
            String(letters.filter { message.flags.contains($0.flag) }.map(\.letter)) + " "
                + withoutMarks(message.octets)
        }.sorted()
    }
}

/// A message with the line ends of files, without what mbsync leaves in the header.
private func withoutMarks(_ octets: [UInt8]) -> String {
    text(Letters.asFile(octets)).replacing(#/X-TUID: .*\n/#, with: "")
}
