import MartletBytes
import MartletCLI
import MartletFiles

/// Users and their passwords, a line each: `NAME:PASSWORD`. Empty lines and those that start with `#` are passed over.
enum AccountsFile {
    /// Octets of the whole file, at most.
    static let limitInOctets = 1 << 20

    /// Reads the file.
    ///
    /// - Throws: `FileError`, or `CommandFailure` naming the line that is none, without what it holds.
    static func read(_ path: String) throws -> [String: Secret] {
        var octets = try WholeFile.read(path, limitInOctets: limitInOctets)
        defer { for index in octets.indices { octets[index] = 0 } }
        return try parse(octets, path)
    }

    static func parse(_ octets: [UInt8], _ path: String) throws(CommandFailure) -> [String: Secret]
    {
        var users: [String: Secret] = [:]
        let lines = octets.split(separator: ASCII.lf, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == ASCII.cr ? line.dropLast() : line
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                colon + 1 < line.endIndex,
                let name = String(validating: line[..<colon], as: UTF8.self)
            else { throw failure("Line \(index + 1) of \"\(path)\" is not NAME:PASSWORD.") }
            guard users.updateValue(Secret(octets: line[(colon + 1)...]), forKey: name) == nil
            else {
                throw failure("Line \(index + 1) of \"\(path)\" names a user for the second time.")
            }
        }
        guard !users.isEmpty else { throw failure("There is no user in \"\(path)\".") }
        return users
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(.badData, message, kind: "invalidAccounts")
    }
}
