import MartletBytes

/// A pattern of LIST: `*` stands for anything, `%` for anything within a level. RFC 9051 §6.3.9.
struct ListPattern {
    private let octets: [UInt8]

    init(_ text: String) {
        // Several wildcards in a row are the strongest of them: nothing then takes longer than pattern times name.
        var octets: [UInt8] = []
        for octet in text.utf8 {
            if Self.isWildcard(octet), let last = octets.last, Self.isWildcard(last) {
                if octet == UInt8(ascii: "*") { octets[octets.count - 1] = octet }
            } else {
                octets.append(octet)
            }
        }
        self.octets = octets
    }

    private static func isWildcard(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "*") || octet == UInt8(ascii: "%")
    }

    /// Whether it stands for the name; INBOX in any case.
    func matches(_ name: String) -> Bool {
        matches(Array(name.utf8), ignoringCase: name == "INBOX")
    }

    /// Which places of the pattern the name so far can have led to, octet by octet: no way back, no recursion.
    private func matches(_ name: [UInt8], ignoringCase: Bool) -> Bool {
        var places = [Bool](repeating: false, count: octets.count + 1)
        places[0] = true
        passWildcards(&places)
        for octet in name {
            var next = [Bool](repeating: false, count: octets.count + 1)
            for (place, isReached) in places.dropLast().enumerated() where isReached {
                switch octets[place] {
                case UInt8(ascii: "*"): next[place] = true
                case UInt8(ascii: "%"): if octet != Account.delimiter { next[place] = true }
                case octet: next[place + 1] = true
                case let wanted where ignoringCase && wanted.lowercased == octet.lowercased:
                    next[place + 1] = true
                default: break
                }
            }
            passWildcards(&next)
            places = next
        }
        return places[octets.count]
    }

    /// A wildcard may stand for nothing.
    private func passWildcards(_ places: inout [Bool]) {
        for place in octets.indices where places[place] && Self.isWildcard(octets[place]) {
            places[place + 1] = true
        }
    }
}
