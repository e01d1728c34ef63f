import Synchronization

/// The faults of a running sandbox.
final class FaultList: Sendable {
    /// Faults at a time.
    static let countLimit = 1_000
    /// Greylisted addresses that are remembered; then all are forgotten.
    private static let greylistLimit = 10_000

    private struct State {
        var placed: [Sandbox.PlacedFault] = []
        var lastID = 0
        /// Who was refused and may pass at the next try.
        var greylist: Set<String> = []

        /// Whether it is the first try of two.
        mutating func refuses(_ recipient: String) -> Bool {
            let recipient = recipient.lowercased()
            if greylist.remove(recipient) != nil { return false }
            if greylist.count >= FaultList.greylistLimit { greylist = [] }
            greylist.insert(recipient)
            return true
        }
    }

    private let state = Mutex(State())
    private let rules: AddressRules
    private let heedsAddresses: Bool

    /// - Parameter heedsAddresses: whether recipients' addresses can ask for faults.
    init(rules: AddressRules, heedsAddresses: Bool) {
        self.rules = rules
        self.heedsAddresses = heedsAddresses
    }

    /// All faults, in the order in which they were added.
    var placed: [Sandbox.PlacedFault] { state.withLock(\.placed) }

    /// Adds faults, all or none.
    ///
    /// - Parameter replaces: whether those that are there go.
    /// - Returns: the numbers of the new ones.
    func add(_ faults: [Sandbox.Fault], replaces: Bool = false) throws(SandboxError) -> [Int] {
        try state.withLock { state throws(SandboxError) in
            let count = replaces ? 0 : state.placed.count
            guard count + faults.count <= Self.countLimit else {
                throw SandboxError(
                    .invalidFault,
                    "A sandbox has up to \(Self.countLimit) faults: remove some first.")
            }
            var added: [Sandbox.PlacedFault] = []
            for fault in faults {
                let id = state.lastID + added.count + 1
                added.append(try Sandbox.PlacedFault(id: id, fault))
            }
            state.lastID += added.count
            state.placed = replaces ? added : state.placed + added
            return added.map(\.id)
        }
    }

    /// Removes a fault.
    ///
    /// - Returns: whether it was there.
    func remove(_ id: Int) -> Bool {
        state.withLock { state in
            let count = state.placed.count
            state.placed.removeAll { $0.id == id }
            return state.placed.count < count
        }
    }

    /// Removes all.
    func removeAll() { state.withLock { $0.placed = [] } }

    /// Forgets who was greylisted.
    func forgetAddresses() { state.withLock { $0.greylist = [] } }

    /// The faults that strike now, in order, up to one after which nothing more can happen.
    func strike(_ occasion: FaultOccasion, client: String) -> [Sandbox.FaultStrike] {
        state.withLock { state in
            var struck: [Sandbox.FaultStrike] = []
            func add(_ id: Int?, _ fault: Sandbox.Fault) -> Bool {
                struck.append(
                    Sandbox.FaultStrike(
                        id: id, fault: fault, protocol: occasion.spoken,
                        command: occasion.isCommand
                            ? occasion.moment : occasion.moment.lowercased(), client: client))
                return fault.action.isLast
            }
            for place in state.placed.indices {
                let fault = state.placed[place].fault
                guard state.placed[place].strikes < fault.times ?? .max,
                    state.placed[place].protocols.contains(occasion.spoken),
                    fault.holds(at: occasion, rules.address(of:))
                else { continue }
                guard state.placed[place].passed >= fault.after else {
                    state.placed[place].passed += 1
                    continue
                }
                state.placed[place].strikes += 1
                if add(state.placed[place].id, fault) { return struck }
            }
            guard heedsAddresses else { return struck }
            for recipient in occasion.recipients {
                guard let magic = MagicAddress(recipient), magic.moment == occasion.moment,
                    !magic.passesSecondTry || state.refuses(recipient)
                else { continue }
                let fault = Sandbox.Fault(magic.action, at: magic.moment, name: recipient)
                if add(nil, fault) { return struck }
            }
            return struck
        }
    }
}

extension Sandbox.Fault.Action {
    /// Whether nothing more can happen after it.
    fileprivate var isLast: Bool {
        switch self {
        case .reply, .drop(.now), .silence(.now): true
        default: false
        }
    }
}

extension Sandbox.Shared {
    /// The faults that strike now; who watches hears of them.
    func strike(_ occasion: FaultOccasion, client: String) -> [Sandbox.Fault.Action] {
        let struck = faults.strike(occasion, client: client)
        for strike in struck { events.yield(.fault(strike)) }
        return struck.map(\.fault.action)
    }

    /// What a client is told that the sandbox can: all of it, unless a fault lies.
    ///
    /// - Parameter offered: lines of SMTP and POP3, words of IMAP.
    func told(_ offered: [String], _ spoken: SandboxProtocol, _ user: String? = nil, client: String)
        -> [String]
    {
        var told = offered
        let occasion = FaultOccasion(spoken: spoken, moment: "CAPABILITIES", user: user)
        for case .capabilities(let added, let removed) in strike(occasion, client: client) {
            let gone = Set(removed.map { $0.lowercased() })
            told.removeAll { line in
                let line = line.lowercased()
                let word = String(line.prefix { $0 != " " && $0 != "=" })
                return gone.contains(line) || gone.contains(word)
            }
            told += added
        }
        return told
    }
}
