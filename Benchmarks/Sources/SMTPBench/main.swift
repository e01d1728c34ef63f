import MartletBytes
import MartletSMTP
import MartletTransport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// smtp-bench HOST:PORT --sessions S --messages N --size BYTES [--reuse]
//
// Sends N messages of BYTES octets through S sessions at once, in the clear, and prints one line of JSON. With --reuse
// a session keeps its connection; without, each message has its own.

let options: Options
do {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    let text = Array("smtp-bench: \(error.text)\n\(Options.usage)\n".utf8)
    _ = text.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    exit(64)
}

let bench = Bench(options)
let start = ContinuousClock.now
let failures = await bench.run()
let seconds = (ContinuousClock.now - start) / .seconds(1)
let sent = Double(options.messages - failures)
var usage = rusage()
getrusage(.init(RUSAGE_SELF.rawValue), &usage)
print(
    """
    {"msgs_per_s": \(rounded(sent / seconds)), "MB_per_s": \
    \(rounded(sent * Double(options.size) / 1e6 / seconds)), "peak_rss_MB": \
    \(rounded(Double(usage.ru_maxrss) / 1024)), "failures": \(failures)}
    """)
exit(failures == 0 ? 0 : 1)

func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
