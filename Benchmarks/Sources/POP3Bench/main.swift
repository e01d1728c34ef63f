import BenchReport

// pop3-bench HOST:PORT …: see `Options.usage`. Prints one line of JSON.
await runBenchmark("pop3-bench", usage: Options.usage, Options.init) { options in
    var report = Report()
    report.note("program", "martlet")
    report.note("work", options.maildir == nil ? "retrieve" : "maildir")
    try await retrieve(options, into: &report)
    report.note("cpu_seconds", Memory.processorSeconds)
    report.note("peak_MiB", Memory.peak)
    return report
}
