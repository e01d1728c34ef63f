/// A maildrop as a server's session shows it: what there was when the session began. RFC 1939 §4.
///
/// The messages themselves stay with the shell, which is asked for each by its number.
public struct ServedMaildrop: Sendable {
    /// A message of it.
    public struct Entry: Sendable {
        /// Its octets with CRLF line ends, without doubled dots.
        public var sizeInOctets: Int
        /// What names it in every session.
        public var uniqueID: UniqueID

        /// Describes a message.
        public init(sizeInOctets: Int, uniqueID: UniqueID) {
            self.sizeInOctets = sizeInOctets
            self.uniqueID = uniqueID
        }
    }

    /// The messages: the first has the number 1.
    public let entries: [Entry]
    private var isMarked: [Bool]
    /// Messages that are not marked.
    public private(set) var messageCount: Int
    /// Octets of those.
    public private(set) var sizeInOctets: Int

    /// Describes a maildrop.
    public init(_ entries: [Entry]) {
        self.entries = entries
        isMarked = Array(repeating: false, count: entries.count)
        messageCount = entries.count
        sizeInOctets = entries.reduce(0) { $0 + $1.sizeInOctets }
    }

    /// The message of that number, unless it is marked or there is none.
    func entry(_ number: Int) -> Entry? {
        guard entries.indices.contains(number - 1), !isMarked[number - 1] else { return nil }
        return entries[number - 1]
    }

    /// The numbers that are marked, ascending.
    var marked: [Int] { isMarked.indices.filter { isMarked[$0] }.map { $0 + 1 } }

    mutating func mark(_ number: Int) {
        guard let entry = entry(number) else { return }
        isMarked[number - 1] = true
        messageCount -= 1
        sizeInOctets -= entry.sizeInOctets
    }

    mutating func unmarkAll() { self = ServedMaildrop(entries) }
}
