import MartletBytes

/// The mailboxes of a `To`, `Cc` or `Bcc` field, `address-list` of RFC 5322 §3.4, read tolerantly.
///
/// Groups, comments, folding and source routes are understood; an entry that is no address is kept in
/// `damaged` and loses no other. Encoded words in display names are left as they are.
public struct AddressList: Hashable, Sendable {
    /// The addresses in order; those of groups among them.
    public var mailboxes: [MailboxAddress] = []
    /// The octets of the entries that are no addresses, as they stood.
    public var damaged: [[UInt8]] = []

    /// An empty list.
    public init() {}

    /// Reads the value of a field, which may be folded. Never fails; takes time linear in its length.
    public init(parsing octets: some Collection<UInt8>) {
        var scanner = AddressScanner([UInt8](octets), keepsEncodedWords: true)
        let tokens = scanner.tokens()
        let reader = AddressReader(octets: scanner.octets, isTolerant: true)
        var splitter = AddressListSplitter(tokens: tokens)
        while let entry = splitter.next() {
            do {
                mailboxes.append(try reader.mailbox(entry))
            } catch {
                let range =
                    entry[entry.startIndex].range
                    .lowerBound..<entry[entry.endIndex - 1].range.upperBound
                damaged.append([UInt8](scanner.octets[range]))
            }
        }
    }

    /// Reads a list that a person wrote, such as `a@example.org, Bob <b@example.org>`.
    public init(_ text: String) { self.init(parsing: Array(text.utf8)) }

    /// Adds the entries of another field.
    public mutating func append(_ other: AddressList) {
        mailboxes += other.mailboxes
        damaged += other.damaged
    }
}

/// Cuts the tokens of a list at its commas and takes the groups off.
private struct AddressListSplitter {
    let tokens: [AddressToken]
    private var index = 0
    private var isInGroup = false

    init(tokens: [AddressToken]) { self.tokens = tokens }

    // address-list = (address *("," address)) / obs-addr-list ; RFC 5322 §3.4, §4.4
    mutating func next() -> ArraySlice<AddressToken>? {
        while index < tokens.count {
            let entry = readEntry()
            if !entry.isEmpty { return entry }
        }
        return nil
    }

    // group = display-name ":" [group-list] ";" [CFWS] ; RFC 5322 §3.4
    private mutating func readEntry() -> ArraySlice<AddressToken> {
        var start = index
        var angle = Angle.none
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            switch token.kind {
            case .sign(ASCII.less):
                let isRoute = index < tokens.count && tokens[index].isSign("@")
                angle = isRoute ? .route : .address
            case .sign(ASCII.greater):
                angle = .none
            case .sign(UInt8(ascii: ":")):
                if angle == .route {
                    angle = .address
                } else if angle == .none, !isInGroup {
                    isInGroup = true
                    start = index
                }
            case .sign(UInt8(ascii: ";")):
                isInGroup = false
                return tokens[start..<(index - 1)]
            case .sign(UInt8(ascii: ",")):
                // Inside a route a comma goes on to the next "@domain".
                let goesOn = angle == .route && index < tokens.count && tokens[index].isSign("@")
                if !goesOn { return tokens[start..<(index - 1)] }
            default:
                break
            }
        }
        return tokens[start..<index]
    }

    private enum Angle { case none, route, address }
}
