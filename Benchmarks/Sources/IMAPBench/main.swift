import BenchReport

// imap-bench WORK HOST:PORT …, imap-bench parse FILE: see `Options.usage`. Prints one line of JSON.
await runBenchmark("imap-bench", usage: Options.usage, Options.init, measure)
