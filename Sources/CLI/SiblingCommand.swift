import MartletCommandLineParsing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A command that another program beside this one carries out, since it links libraries that take their time to load.
protocol SiblingCommand: CommandRunner {
    /// The name of the program. It takes the words behind its own name: `martlet frontmail send …` runs
    /// `martlet-frontmail send …`.
    static var program: String { get }
}

extension SiblingCommand {
    /// Becomes the other program, with the same words, standard streams and process.
    ///
    /// - Throws: `CommandFailure` where there is none.
    static func run(_ parsed: ParsedCommand, _ console: Console) throws -> ExitStatus {
        guard let path = Sibling.path(of: program) else {
            throw CommandFailure(
                .unavailable, "\(program) is not found: call martlet by its path.",
                kind: "missingProgram")
        }
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(path)]
        // The words as they came, behind this program's name and the command's first.
        for index in 2..<max(Int(CommandLine.argc), 2) {
            words.append(CommandLine.unsafeArgv[index])
        }
        words.append(nil)
        execv(path, words)
        throw CommandFailure(
            .unavailable,
            "\(path) cannot be run: \(String(cString: strerror(errno))). It belongs beside martlet; "
                + "copy it there from the same build.",
            kind: "missingProgram")
    }
}

/// Where programs of the same build are.
enum Sibling {
    /// The program of that name in the folder of this one; `nil` where that is not known.
    static func path(of name: String) -> String? {
        guard let slash = ownPath.lastIndex(of: "/") else { return nil }
        return ownPath[...slash] + name
    }

    /// Links are followed, so that a link to `martlet` in another folder finds what is beside the file itself.
    private static var ownPath: String {
        let called = CommandLine.arguments.first ?? ""
        // A name without a folder was looked up in PATH, and not here.
        for path in ["/proc/self/exe"] + (called.contains("/") ? [called] : []) {
            guard let resolved = realpath(path, nil) else { continue }
            defer { free(resolved) }
            return String(cString: resolved)
        }
        return ""
    }
}
