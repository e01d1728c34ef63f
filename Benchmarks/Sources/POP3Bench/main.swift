import BenchReport
import Martlet

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// pop3-bench HOST:PORT …: see `Options.usage`. Prints one line of JSON.

func complain(_ text: String) {
    let octets = Array("pop3-bench: \(text)\n".utf8)
    _ = octets.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

let options: Options
do {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    complain("\(error.text)\n\(Options.usage)")
    exit(64)
}

do {
    var report = Report()
    report.note("program", "martlet")
    report.note("work", options.maildir == nil ? "retrieve" : "maildir")
    try await retrieve(options, into: &report)
    report.note("cpu_seconds", Memory.processorSeconds)
    report.note("peak_MiB", Memory.peak)
    print(report.json)
} catch {
    complain("\(error)")
    exit(1)
}
