/// What the command line asks for.
struct Options: Sendable {
    struct Mistake: Error { var text: String }

    static let usage =
        "usage: smtp-bench HOST:PORT --sessions S --messages N --size BYTES [--reuse]"

    var host = ""
    var port = 0
    var sessions = 1
    var messages = 1_000
    var size = 8_192
    var reuse = false

    init(_ arguments: ArraySlice<String>) throws(Mistake) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--sessions": sessions = try Self.number(&rest, argument)
            case "--messages": messages = try Self.number(&rest, argument)
            case "--size": size = try Self.number(&rest, argument)
            case "--reuse": reuse = true
            default:
                guard let colon = argument.lastIndex(of: ":"), host.isEmpty,
                    let number = Int(argument[argument.index(after: colon)...])
                else { throw Mistake(text: "\(argument) is not known here") }
                host = String(argument[..<colon])
                port = number
            }
        }
        guard !host.isEmpty else { throw Mistake(text: "say where to: HOST:PORT") }
    }

    private static func number(
        _ rest: inout ArraySlice<String>, _ option: String
    ) throws(Mistake) -> Int {
        guard let text = rest.popFirst(), let number = Int(text), number > 0 else {
            throw Mistake(text: "\(option) needs a number above 0")
        }
        return number
    }
}
