import MartletBytes
import MartletIMAPCore

/// Which annotations GETMETADATA asks for. RFC 5464 §4.2.
struct MetadataMatch {
    private let names: [String]
    private let depth: IMAP.GetMetadata.Depth
    private let limit: UInt32?

    init(_ command: IMAP.GetMetadata) {
        names = command.entries.map { $0.lowercased() }
        depth = command.depth
        limit = command.maximumSizeInOctets
    }

    /// Those that are there, in order, and the size of the longest that is left out as too large.
    func entries(
        in stored: [String: [UInt8]]
    ) -> (entries: [MetadataResponse.Entry], longest: Int?) {
        var (entries, longest) = ([MetadataResponse.Entry](), Int?.none)
        for (name, value) in stored.sorted(by: { $0.key < $1.key }) where isAsked(name) {
            if let limit, value.count > limit {
                longest = max(longest ?? 0, value.count)
            } else {
                entries.append(.init(name: name, value: .octets(value[...])))
            }
        }
        // What was asked for by its name and is not there is told as such.
        for name in names where depth == .zero && stored[name] == nil {
            entries.append(.init(name: name, value: .nil))
        }
        return (entries, longest)
    }

    private func isAsked(_ name: String) -> Bool {
        names.contains { wanted in
            if name == wanted { return true }
            guard depth != .zero, name.utf8.starts(with: (wanted + "/").utf8) else { return false }
            return depth == .infinity || !name.dropFirst(wanted.count + 1).contains("/")
        }
    }
}

extension MailSystem {
    /// Octets of an annotation, and annotations of a mailbox or account, at most.
    static let metadataLimitInOctets = 64 * 1024
    static let metadataLimit = 1_000

    /// Sets annotations of a mailbox, or of the account; a value of `nil` removes one.
    func setMetadata(
        _ entries: [IMAP.SetMetadata.Entry], of name: MailboxName?, of address: String
    ) throws(MailProblem) {
        let account = account(address)
        if let name, account[name] == nil { throw .noMailbox }
        var stored =
            name.flatMap { account[$0]?.metadata } ?? (name == nil ? account.metadata : [:])
        for entry in entries {
            guard (entry.value?.count ?? 0) <= Self.metadataLimitInOctets else {
                throw MailProblem(
                    .metadata(.maximumSize(UInt64(Self.metadataLimitInOctets))), "That is too large"
                )
            }
            stored[entry.name.lowercased()] = entry.value
        }
        guard stored.count <= Self.metadataLimit else {
            throw MailProblem(.metadata(.tooMany), "There are too many annotations")
        }
        change(address) { account in
            if let name {
                account.change(name) { $0.metadata = stored }
            } else {
                account.metadata = stored
            }
        }
    }
}
