import MartletBytes
import MartletIMAPCore

/// What has come of a section, over as many connections as it takes.
struct Download {
    let uid: UID
    let section: MessageSection
    let origin: UInt64
    let selectionNumber: Int
    /// Octets that were handed on.
    private(set) var received: UInt64 = 0
    /// Where the section ends, once the server said so: it stays with that.
    private var end: UInt64?

    init(uid: UID, section: MessageSection, origin: UInt64, selectionNumber: Int) {
        self.uid = uid
        self.section = section
        self.origin = origin
        self.selectionNumber = selectionNumber
    }

    /// Asks for what is missing, and hands it on while it comes.
    ///
    /// - Throws: `.missingResponse`, or `.protocolViolation` where what came is not what was asked for.
    mutating func run(
        on client: IMAPClient, _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(IMAPError) {
        let start = origin + received
        let range = start > 0 ? OctetRange(from: start, count: UInt64(UInt32.max)) : nil
        let fetching = Fetching(
            client, IMAP.Fetch(UIDSet(uid), [.section(section, range: range)]),
            within: selectionNumber)
        // What came of nothing does not bind.
        var answer = SectionAnswer(
            uid: uid, section: section, start: start, end: received > 0 ? end : nil)
        do throws(IMAPError) {
            while let pieces = try await fetching.next() {
                for piece in pieces {
                    let octets = try answer.take(piece)
                    end = answer.end
                    for octets in octets { try await give(octets, take) }
                }
            }
            try answer.finish()
        } catch {
            var error = error
            error.command = error.command ?? "UID FETCH"
            error.server = error.server ?? client.server.host
            throw error
        }
    }

    private mutating func give(
        _ octets: ArraySlice<UInt8>, _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(IMAPError) {
        guard !octets.isEmpty else { return }
        do {
            try await take(octets)
        } catch {
            throw IMAPError(
                kind: error is CancellationError ? .cancelled : .unwritableData,
                command: "UID FETCH", underlying: error)
        }
        received += UInt64(octets.count)
    }
}

/// The answer to one question for a section from some octet on: that message, that section, from there, once, and to its end.
struct SectionAnswer {
    private enum State {
        /// Nothing came yet.
        case waiting
        /// Octets come, or came, of a message that its row will name.
        case unconfirmed
        /// The row came.
        case answered
    }

    private let uid: UID
    private let section: MessageSection
    private let start: UInt64
    /// Where the section ends.
    private(set) var end: UInt64?
    private var state = State.waiting
    private var isOurs = false
    /// Octets of the literal that are known already.
    private var skip: UInt64 = 0
    /// Octets of the literal that came.
    private var taken: UInt64 = 0
    /// The last octets that came: what a short literal has taken along of the answer behind it is among them.
    private var held: [UInt8] = []

    /// As much as the framer looks back over.
    private static let heldInOctets = 64 << 10

    init(uid: UID, section: MessageSection, start: UInt64, end: UInt64?) {
        self.uid = uid
        self.section = section
        self.start = start
        self.end = end
    }

    /// Takes a piece, and gives the octets that are sure.
    mutating func take(_ piece: FetchPiece) throws(IMAPError) -> [ArraySlice<UInt8>] {
        switch piece {
        case .dataBegins(let owner, _, let size):
            isOurs = false
            guard case .waiting = state, owner.uid == nil || owner.uid == uid,
                case .section(let section, let origin, _)? = owner.item, isAsked(section)
            else { return [] }
            try begin(at: origin, size)
            (isOurs, state) = (true, .unconfirmed)
            return []
        case .data(let octets): return isOurs ? hold(octets) : []
        case .dataEnds:
            isOurs = false
            return []
        case .row(let row): return try take(row)
        case .damaged, .vanished: return []
        }
    }

    /// The command is done.
    func finish() throws(IMAPError) {
        switch state {
        case .answered: return
        case .waiting: throw IMAPError(kind: .missingResponse("the message"))
        case .unconfirmed: throw Self.violation("gave octets of another message")
        }
    }

    private mutating func take(_ row: FetchResponse) throws(IMAPError) -> [ArraySlice<UInt8>] {
        switch state {
        case .answered: return []
        case .unconfirmed:
            guard row.uid == nil || row.uid == uid else {
                throw Self.violation("gave octets of another message")
            }
            guard let size = size(in: row) else {
                throw Self.violation("gave octets that are of no message")
            }
            state = .answered
            return try confirm(size)
        case .waiting:
            guard row.uid == nil || row.uid == uid else { return [] }
            for case .section(let section, let origin, let data) in row.items where isAsked(section)
            {
                state = .answered
                try begin(at: origin, data.sizeInOctets)
                guard let octets = data.octets else { return [] }
                return [octets.dropFirst(Int(clamping: skip))]
            }
            return []
        }
    }

    /// Whether a section is the one asked for. Names of header fields are not compared: servers write them their own way.
    private func isAsked(_ other: MessageSection) -> Bool {
        FetchAttribute.section(section).isAnswered(by: .section(other, origin: nil, .nil))
    }

    private mutating func begin(at origin: UInt64?, _ size: UInt64) throws(IMAPError) {
        var from = origin ?? 0
        // QUIRK(no-origin): a server may leave out where the rest begins, or give all of it again; its size says which.
        if origin == nil, start > 0, let end, size == end - start { from = start }
        let (sum, isTooLarge) = from.addingReportingOverflow(size)
        guard from <= start, sum >= start, !isTooLarge else {
            throw Self.violation("gave other octets than those from \(start) on")
        }
        skip = start - from
        if let end, end != sum {
            throw Self.violation("announced \(end) octets at first, and then \(sum)")
        }
        // A whole range of octets may not be all.
        if size < UInt64(UInt32.max) { end = sum }
    }

    private mutating func hold(_ octets: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var octets = octets
        taken += UInt64(octets.count)
        if skip > 0 {
            let known = min(skip, UInt64(octets.count))
            skip -= known
            octets = octets.dropFirst(Int(known))
        }
        if octets.count >= Self.heldInOctets {
            let sure = [held[...], octets.dropLast(Self.heldInOctets)]
            held = Array(octets.suffix(Self.heldInOctets))
            return sure
        }
        held += octets
        guard held.count >= 2 * Self.heldInOctets else { return [] }
        let sure = held.dropLast(Self.heldInOctets)
        held = Array(held.suffix(Self.heldInOctets))
        return [sure]
    }

    /// QUIRK(yandex-short-literal): what came of a literal that was announced too long ends where its row says.
    private mutating func confirm(_ size: UInt64) throws(IMAPError) -> [ArraySlice<UInt8>] {
        defer { held = [] }
        guard size != taken else { return [held[...]] }
        guard size < taken, taken - size <= UInt64(held.count) else {
            throw Self.violation("gave \(taken) octets and says that there are \(size)")
        }
        end = nil
        return [held.dropLast(Int(taken - size))]
    }

    private func size(in row: FetchResponse) -> UInt64? {
        for case .section(let section, _, .detached(_, let size)) in row.items
        where isAsked(section) {
            return size
        }
        return nil
    }

    private static func violation(_ how: String) -> IMAPError {
        IMAPError(kind: .protocolViolation(how))
    }
}
