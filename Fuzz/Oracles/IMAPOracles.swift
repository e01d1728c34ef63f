import MartletBytes
import MartletIMAPCore

/// What must hold for any octets that an IMAP server may send.
package enum IMAPResponseOracle {
    /// Traps where the framer or the parser breaks a promise.
    package static func check(_ input: [UInt8]) {
        var limits = IMAPLimits()
        // Small enough for a short input to reach.
        limits.detachedLiteralInOctets = 200
        limits.lineInOctets = 4_000
        limits.literalCount = 20
        limits.nestingDepth = 10
        let whole = frames([input[...]], limits)
        let place = input.count / 2
        precondition(
            frames([input[..<place], input[place...]], limits) == whole, "a cut changes the frames")
        if input.count <= 1_024 {
            precondition(
                frames(input.indices.map { input[$0...$0] }, limits) == whole,
                "many cuts change the frames")
        }
        for case .frame(let frame) in whole.events { check(frame, limits) }
        parsePrefixes(of: input, limits)
    }

    /// Everything that comes out, with the octets of detached literals put together.
    private struct Outcome: Equatable {
        enum Event: Equatable {
            case frame(ResponseFrame)
            case literal(DetachedLiteral, [UInt8])
        }
        var events: [Event] = []
        var failure: FramingError?
        var wasRecovered = false
    }

    private static func frames(_ pieces: [ArraySlice<UInt8>], _ limits: IMAPLimits) -> Outcome {
        var framer = ResponseFramer(limits: limits, tagPrefix: "A")
        var outcome = Outcome()
        var literal: (DetachedLiteral, [UInt8])?
        func read(_ framer: inout ResponseFramer) throws(FramingError) {
            while let piece = try framer.next() {
                switch piece {
                case .response(let frame): outcome.events.append(.frame(frame))
                case .literalBegins(let begun):
                    precondition(literal == nil, "a literal in a literal")
                    literal = (begun, [])
                case .literalOctets(let octets):
                    precondition(literal != nil, "octets of no literal")
                    literal?.1 += octets
                case .literalEnds:
                    guard let ended = literal else { preconditionFailure("the end of no literal") }
                    outcome.events.append(.literal(ended.0, ended.1))
                    literal = nil
                }
            }
        }
        do throws(FramingError) {
            for piece in pieces {
                framer.append(Array(piece))
                try read(&framer)
            }
            outcome.wasRecovered = framer.recoverShortLiteral()
            try read(&framer)
        } catch { outcome.failure = error }
        if let open = literal { outcome.events.append(.literal(open.0, open.1)) }
        return outcome
    }

    private static func check(_ frame: ResponseFrame, _ limits: IMAPLimits) {
        let parser = ResponseParser(limits: limits)
        let response = parser.parse(frame)
        if case .fetch(let fetch) = response { useValues(of: fetch) }
        guard isFaithful(response), frame.damage == nil else { return }
        var encoder = ResponseEncoder()
        encoder.append(response)
        precondition(encoder.octets.suffix(2) == [ASCII.cr, ASCII.lf])
        let again = ResponseFrame(octets: encoder.octets.dropLast(2), detached: encoder.detached)
        precondition(
            parser.parse(again) == response,
            "a response does not survive: \(String(decoding: frame.octets, as: UTF8.self)) is written as "
                + String(decoding: again.octets, as: UTF8.self))
        if encoder.detached.isEmpty {
            let framed = frames([encoder.octets[...]], IMAPLimits.standard)
            precondition(framed.events == [.frame(again)], "a response is not one response")
        }
    }

    /// What is decoded on demand.
    private static func useValues(of fetch: FetchResponse) {
        if let envelope = fetch.envelope {
            _ = envelope.date
            _ = envelope.subject
            _ = envelope.messageID
            _ = envelope.inReplyTo
            for list in [envelope.from, envelope.to, envelope.cc] { _ = list.map(\.displayName) }
        }
        for (place, part) in (fetch.bodyStructure?.parts ?? []).enumerated() {
            precondition(part.parent.map { $0 < place } ?? (place == 0), "a part before its parent")
        }
    }

    /// Whether all of it is values: octets that were kept as they came may be anything.
    private static func isFaithful(_ response: IMAPResponse) -> Bool {
        switch response {
        case .damaged, .unknown: return false
        case .tagged(let tagged):
            return isFaithful(tagged.text) && !tagged.tag.isEmpty && isASCII(tagged.tag)
        case .condition(let condition): return isFaithful(condition.text)
        case .continuation(let request): return isLine(request.octets)
        case .fetch(let fetch):
            return !fetch.hasDamage && fetch.items.allSatisfy(isFaithful) && fetch.number != nil
        case .list(let entry): return entry.extendedData.isEmpty
        case .mailboxStatus(_, let status): return status.others.isEmpty
        case .extendedSearch(let search):
            return search.others.isEmpty && search.all?.runs.isEmpty != true
        case .namespace(let namespace):
            return (namespace.personal + namespace.otherUsers + namespace.shared).allSatisfy {
                $0.extensions.isEmpty
            }
        case .capability(let words), .enabled(let words):
            return words.allSatisfy { isASCII($0.rawValue) }
        default: return true
        }
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func isLine(_ octets: [UInt8]) -> Bool {
        !octets.contains { $0 == 0 || $0.isLineBreak }
    }

    private static func isFaithful(_ text: ResponseText) -> Bool {
        guard isLine(text.octets), text.octets.first != ASCII.space, text.octets.first != ASCII.tab
        else { return false }
        switch text.code {
        case nil: return text.octets.first != UInt8(ascii: "[")
        case .other: return false
        case .capability(let words): return words.allSatisfy { isASCII($0.rawValue) }
        case .badCharset(let words), .badEvent(let words): return words.allSatisfy(isASCII)
        case .badURL(let text), .undefinedFilter(let text), .referral(let text),
            .webAlert(let text),
            .noUpdate(let text), .urlMechanism(let text):
            return isASCII(text) && !text.contains("]")
        case .mailboxID(let id): return isASCII(id.rawValue) && !id.rawValue.contains("]")
        case .inProgress(let progress): return progress.tag.map(isASCII) ?? true
        case .permanentFlags(let flags): return flags.allSatisfy { isASCII($0.rawValue) }
        default: return true
        }
    }

    private static func isFaithful(_ item: FetchItem) -> Bool {
        switch item {
        case .unknown, .damaged: false
        case .flags(let flags): flags.allSatisfy { isASCII($0.rawValue) }
        case .gmailLabels(let labels): labels.allSatisfy { isASCII($0.text) }
        case .bodyStructure(.value(let structure)), .body(.value(let structure)):
            structure.parts.allSatisfy(isFaithful)
        case .section(let section, _, _):
            switch section.content {
            case .headerFields(let names), .headerFieldsNot(let names): names.allSatisfy(isASCII)
            default: true
            }
        default: true
        }
    }

    private static func isFaithful(_ part: BodyStructurePart) -> Bool {
        guard part.failure == nil, part.extensionOctets.isEmpty, !part.type.isEmpty else {
            return false
        }
        // Said in another way than it was read.
        if part.type == "multipart" { return true }
        return isASCII(part.type) && isASCII(part.subtype)
    }

    /// The parser must take what no framer gives: responses that end anywhere.
    private static func parsePrefixes(of input: [UInt8], _ limits: IMAPLimits) {
        let parser = ResponseParser(limits: limits)
        // Different ones for each input: there are many.
        for count in stride(from: input.count % 11, to: min(input.count, 2_000), by: 11) {
            _ = parser.parse(ResponseFrame(octets: input[..<count]))
        }
        _ = parser.parse(ResponseFrame(octets: input[...]))
    }
}

/// What must hold for any octets where a structure or an envelope is due.
package enum IMAPValueOracle {
    /// Traps where a structure breaks a promise.
    package static func checkStructure(_ input: [UInt8]) { check(input, as: "BODYSTRUCTURE") }
    /// Traps where an envelope breaks a promise.
    package static func checkEnvelope(_ input: [UInt8]) { check(input, as: "ENVELOPE") }

    private static func check(_ input: [UInt8], as name: String) {
        let wire =
            Array("* 7 FETCH (UID 9 \(name) ".utf8) + input + Array(" FLAGS (\\Seen))\r\n".utf8)
        IMAPResponseOracle.check(wire)
        let frame = ResponseFrame(octets: wire.dropLast(2))
        guard case .fetch(let fetch) = ResponseParser().parse(frame) else {
            preconditionFailure("a value costs the response that it stands in")
        }
        precondition(
            fetch.number?.rawValue == 7 && fetch.items.first == .uid(UID(9)!),
            "a value costs what is before it")
    }
}

/// What must hold for any octets that an IMAP client may send.
package enum IMAPCommandFramingOracle {
    /// Traps where the framer breaks a promise.
    package static func check(_ input: [UInt8]) {
        let whole = pieces([input[...]])
        let place = input.count / 2
        let cut = pieces([input[..<place], input[place...]])
        precondition(
            cut == whole,
            "a cut changes the commands \(String(decoding: input, as: UTF8.self)): \(whole) and \(cut)"
        )
        if input.count <= 2_048 {
            precondition(
                pieces(input.indices.map { input[$0...$0] }) == whole,
                "many cuts change the commands")
        }
    }

    private struct Outcome: Equatable {
        var pieces: [CommandFramer.Piece] = []
        var literal: [UInt8] = []
        var isEndless = false
    }

    private static func pieces(_ input: [ArraySlice<UInt8>]) -> Outcome {
        var limits = CommandLimits()
        limits.lineInOctets = 200
        limits.detachedLiteralInOctets = 50
        limits.literalsInMemoryInOctets = 100
        limits.literalInOctets = 10_000
        limits.nonSynchronizingLiteralInOctets = 100
        limits.literalCount = 5
        limits.droppedInOctets = 1_000
        var framer = CommandFramer(limits: limits)
        var outcome = Outcome()
        do throws(EndlessCommand) {
            for piece in input {
                framer.append(Array(piece))
                while let piece = try framer.next() {
                    switch piece {
                    case .literalOctets(let octets): outcome.literal += octets
                    case .continuationDue(let head, _):
                        outcome.pieces.append(piece)
                        if head.octets.contains(UInt8(ascii: "!")) { framer.refuseLiteral() }
                    case .command(let frame):
                        precondition(frame.octets.count < 200 + 100 + 10, "more than the limits")
                        outcome.pieces.append(piece)
                    default: outcome.pieces.append(piece)
                    }
                }
            }
        } catch { outcome.isEndless = true }
        return outcome
    }
}
