import BenchReport
import MartletIMAP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// imap-bench WORK HOST:PORT …, imap-bench parse FILE: see `Options.usage`. Prints one line of JSON.

func complain(_ text: String) {
    let octets = Array("imap-bench: \(text)\n".utf8)
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
    print(try await measure(options).json)
} catch let mistake as Options.Mistake {
    complain(mistake.text)
    exit(1)
} catch {
    complain("\(error)")
    exit(1)
}
