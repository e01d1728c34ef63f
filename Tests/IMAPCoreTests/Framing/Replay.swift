import MartletBytes
import MartletIMAPCore

/// How what a server sends is cut before it reaches the framer.
enum Cut: Hashable, Sendable {
    case never
    case everyOctet
    case at(Int)
    case every(Int)

    func pieces(_ octets: [UInt8]) -> [[UInt8]] {
        switch self {
        case .never: return [octets]
        case .everyOctet: return octets.map { [$0] }
        case .at(let place): return [Array(octets[..<place]), Array(octets[place...])]
        case .every(let size):
            return stride(from: 0, to: octets.count, by: size).map {
                Array(octets[$0..<min($0 + size, octets.count)])
            }
        }
    }
}

/// What came out of a framer, with detached literals put together: the same however the input is cut.
struct Replay: Equatable {
    enum Event: Equatable {
        case frame(ResponseFrame)
        case literal(DetachedLiteral, [UInt8], isOver: Bool)
    }

    var events: [Event] = []
    var failure: FramingError?

    init(
        _ octets: [UInt8], _ cut: Cut = .never, limits: IMAPLimits = .standard,
        tagPrefix: String = "A", losesPatience: Bool = false
    ) {
        var framer = ResponseFramer(limits: limits, tagPrefix: tagPrefix)
        do throws(FramingError) {
            for piece in cut.pieces(octets) {
                framer.append(piece)
                try take(from: &framer)
            }
            if losesPatience, framer.recoverShortLiteral() { try take(from: &framer) }
        } catch { failure = error }
        closeLiteral(isOver: false)
    }

    // The detached literal that is coming.
    private var open: DetachedLiteral?
    private var octets: [UInt8] = []

    private mutating func take(from framer: inout ResponseFramer) throws(FramingError) {
        while let piece = try framer.next() {
            switch piece {
            case .response(let frame): events.append(.frame(frame))
            case .literalBegins(let literal): open = literal
            case .literalOctets(let more): octets += more
            case .literalEnds: closeLiteral(isOver: true)
            }
        }
    }

    private mutating func closeLiteral(isOver: Bool) {
        if let open { events.append(.literal(open, octets, isOver: isOver)) }
        open = nil
        octets = []
    }

    var frames: [ResponseFrame] {
        events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    var lines: [String] { frames.map { String(decoding: $0.octets, as: UTF8.self) } }

    var responses: [IMAPResponse] { frames.map { ResponseParser().parse($0) } }
}
