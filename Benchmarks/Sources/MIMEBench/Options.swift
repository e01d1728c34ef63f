/// The command line.
struct Options {
    enum Mode: String { case file, mem, dump }

    struct Mistake: Error, CustomStringConvertible { let description: String }

    let path: String
    let mode: Mode
    var runs = 5
    var decodesBodies = true

    init(_ arguments: [String]) throws {
        var words = arguments
        if let flag = words.firstIndex(of: "--no-decode") {
            words.remove(at: flag)
            decodesBodies = false
        }
        guard let path = words.first, words.count <= 3 else {
            throw Mistake(description: "a Maildir is wanted.")
        }
        guard let mode = Mode(rawValue: words.count > 1 ? words[1] : "file") else {
            throw Mistake(description: "\(words[1]) is none of file, mem, dump.")
        }
        if words.count > 2 {
            guard let runs = Int(words[2]), runs > 0 else {
                throw Mistake(description: "\(words[2]) is no number of runs.")
            }
            self.runs = runs
        }
        self.path = path
        self.mode = mode
    }
}
