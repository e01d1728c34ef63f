import BenchReport
import MartletIMAP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Frames and parses a file of a server's responses, in pieces as they are read from a socket.
func parseFile(_ options: Options, into report: inout Report) throws {
    let octets = try contents(of: options.target)
    let pieces = stride(from: 0, to: octets.count, by: 64 << 10).map {
        Array(octets[$0..<min($0 + 64 << 10, octets.count)])
    }
    for round in 1...(options.count ?? 5) {
        var start = ContinuousClock.now
        var framer = ResponseFramer()
        var frames: [ResponseFrame] = []
        for piece in pieces {
            framer.append(piece)
            while let next = try framer.next() {
                if case .response(let frame) = next { frames.append(frame) }
            }
        }
        report.note("frame_\(round)_seconds", seconds(since: start))
        start = ContinuousClock.now
        let parser = ResponseParser()
        var items = 0
        for frame in frames {
            if case .fetch(let row) = parser.parse(frame) { items += row.items.count }
        }
        report.note("parse_\(round)_seconds", seconds(since: start))
        if round == 1 {
            report.note("octets", octets.count)
            report.note("responses", frames.count)
            report.note("items", items)
        }
    }
}

private func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Mistake(text: "\(path) cannot be read") }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
        let count = fread(&piece, 1, piece.count, file)
        guard count > 0 else { return octets }
        octets += piece[..<count]
    }
}
