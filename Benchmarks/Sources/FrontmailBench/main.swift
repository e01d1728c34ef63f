import Foundation

let usage = """
    usage: frontmail-bench serve
           frontmail-bench sdk|bare URL SENDS CALLERS

    `serve` accepts mail on a free port of loopback, whose address it prints, until its standard input ends. `sdk` sends through
    one client, `bare` makes the same requests by URLSession alone: no retries, no limit of time, no check of the answer. Both
    print a line of JSON: sends a second, resident memory before and after, CPU time.

    """

let words = Array(CommandLine.arguments.dropFirst())
do {
    switch (words.first, words.count) {
    case ("serve", 1): try await serve()
    case ("sdk", 4), ("bare", 4):
        guard let url = URL(string: words[1]), let sends = Int(words[2]), sends > 0,
            let callers = Int(words[3]), callers > 0
        else { throw UsageProblem() }
        let sender: any Sender = words[0] == "sdk" ? try SDKSender(url) : BareSender(url)
        try await measure(words[0], sender, sends: sends, callers: callers)
    default: throw UsageProblem()
    }
} catch is UsageProblem {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}

struct UsageProblem: Error {}
