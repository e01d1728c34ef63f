#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

let usage = """
    usage: mime-bench MAILDIR file|mem [RUNS] [--no-decode]
           mime-bench MAILDIR dump
           mime-bench build [MESSAGES [RUNS]]

    Reads all messages of a Maildir, RUNS times (5 without it), and prints a line of JSON for each: `file` opens and reads
    each file, `mem` has all of them in memory first. --no-decode finds structure and header fields and leaves bodies
    as they are. `dump` prints what was read in each message, a line each. `build` composes
    typical messages (10,000 without a number), each with a text, HTML and a file of 30 KB.

    """

do {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "build" {
        try runBuilding(words.dropFirst())
        exit(0)
    }
    let options = try Options(Array(words))
    let maildir = try Maildir(options.path)
    switch options.mode {
    case .dump:
        for path in maildir.paths { printDump(of: path, try Maildir.read(path)) }
    case .file, .mem:
        try run(maildir, options)
    }
} catch {
    let text = Array("mime-bench: \(error)\n\(usage)".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(64)
}
