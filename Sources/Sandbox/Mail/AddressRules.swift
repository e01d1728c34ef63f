/// Which mailbox mail to an address goes to.
struct AddressRules: Sendable {
    /// The domain of names without one.
    var domain: String
    /// Addresses that stand for others, by the whole address in lower case.
    var aliases: [String: [String]] = [:]
    /// Who gets mail for those whom nobody knows; `nil`: everybody has a mailbox.
    var catchAll: String?
    /// Whole addresses of those who are known; empty: everybody is.
    var known: Set<String> = []

    /// Aliases that stand for aliases, at most.
    private static let depthLimit = 16

    init(domain: String) { self.domain = domain }

    /// A name's whole address, in lower case.
    func address(of name: String) -> String {
        (name.contains("@") ? name : name + "@" + domain).lowercased()
    }

    /// Whose mailboxes mail to `address` goes to, each once.
    func owners(of address: String) -> [String] {
        var owners: [String] = []
        var seen: Set<String> = []
        var waiting = [(address: self.address(of: address), depth: 0)]
        while let (address, depth) = waiting.popLast() {
            guard seen.insert(address).inserted else { continue }
            if let others = aliases[address], depth < Self.depthLimit {
                waiting += others.reversed().map { (self.address(of: $0), depth + 1) }
            } else {
                let owner = owner(of: address)
                if !owners.contains(owner) { owners.append(owner) }
            }
        }
        return owners
    }

    /// `alice+list@` is alice's; RFC 5233.
    private func owner(of address: String) -> String {
        guard !known.isEmpty || catchAll != nil else { return base(of: address) }
        if known.contains(address) { return address }
        let base = base(of: address)
        if known.contains(base) { return base }
        return catchAll.map { self.address(of: $0) } ?? base
    }

    private func base(of address: String) -> String {
        guard let at = address.lastIndex(of: "@"),
            let plus = address[..<at].firstIndex(of: "+"), plus != address.startIndex
        else { return address }
        return String(address[..<plus] + address[at...])
    }
}
