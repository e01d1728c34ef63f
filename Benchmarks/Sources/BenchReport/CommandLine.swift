#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a person has done wrong, in words.
public struct Mistake: Error {
    /// The words.
    public var text: String

    /// Makes one.
    public init(text: String) { self.text = text }
}

/// The words of a command line that are still to be read.
public struct Words {
    private var rest: ArraySlice<String>

    /// Those behind the program's name.
    public init() { rest = CommandLine.arguments.dropFirst() }

    /// The next word.
    public mutating func next() -> String? { rest.popFirst() }

    /// The word behind an option.
    public mutating func value(of option: String) throws(Mistake) -> String {
        guard let text = rest.popFirst() else { throw Mistake(text: "\(option) needs a value") }
        return text
    }

    /// Splits `HOST:PORT`.
    public static func server(_ text: String) throws(Mistake) -> (host: String, port: Int) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...])
        else { throw Mistake(text: "\(text) is not HOST:PORT") }
        return (String(text[..<colon]), port)
    }
}

/// Runs a benchmark: prints one line of JSON, or says what went wrong and ends the program, with 64 where it is called wrongly.
public func runBenchmark<Options>(
    _ name: String, usage: String, _ read: () throws(Mistake) -> Options,
    _ measure: (Options) async throws -> Report
) async {
    let options: Options
    do {
        options = try read()
    } catch {
        complain("\(name): \(error.text)\n\(usage)")
        exit(64)
    }
    do {
        print(try await measure(options).json)
    } catch let mistake as Mistake {
        complain("\(name): \(mistake.text)")
        exit(1)
    } catch {
        complain("\(name): \(error)")
        exit(1)
    }
}

private func complain(_ text: String) {
    let octets = Array((text + "\n").utf8)
    _ = octets.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
