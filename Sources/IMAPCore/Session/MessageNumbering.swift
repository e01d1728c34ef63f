/// Which UID each sequence number of the selected mailbox has, as far as it was heard of. RFC 9051 §2.3.1.2.
///
/// Kept in blocks, so that a message in the middle of a million goes without moving all that follow. Messages whose UIDs
/// nobody asked for cost nothing.
struct MessageNumbering: Sendable {
    /// Messages that follow each other.
    private struct Block {
        var count: Int
        /// Their UIDs, 0 for one that was not heard of; `nil` when none was.
        var uids: [UInt32]?
    }

    private var blocks: [Block] = []
    /// How many messages there are.
    private(set) var count = 0

    /// How many messages with UIDs stand in a block.
    private static let blockSize = 1_024
    /// How many blocks there may be: enough for the UIDs of 8 million messages. With more, as of messages here and there in
    /// billions, a UID is not noted: each look goes over all blocks.
    static let blockLimit = 8_192

    /// The UID of a message; `nil` if it was not heard of.
    func uid(of number: SequenceNumber) -> UID? {
        guard let (block, index) = place(of: number), let uids = blocks[block].uids else {
            return nil
        }
        return UID(uids[index])
    }

    /// Takes note of a UID. A number beyond the last one makes the mailbox larger: servers say FETCH before EXISTS.
    mutating func set(_ uid: UID, of number: SequenceNumber) {
        if Int(number.rawValue) > count { resize(to: number.rawValue) }
        guard var (block, index) = place(of: number) else { return }
        if blocks[block].uids == nil {
            guard blocks.count < Self.blockLimit else { return }
            (block, index) = open(block, at: index)
        }
        blocks[block].uids?[index] = uid.rawValue
    }

    /// Cuts a block without UIDs so that one with room for them holds its message `index`.
    private mutating func open(_ block: Int, at index: Int) -> (block: Int, index: Int) {
        let start = index - index % Self.blockSize
        let size = min(Self.blockSize, blocks[block].count - start)
        let parts = [
            Block(count: start, uids: nil),
            Block(count: size, uids: Array(repeating: 0, count: size)),
            Block(count: blocks[block].count - start - size, uids: nil),
        ]
        blocks.replaceSubrange(block...block, with: parts.filter { $0.count > 0 })
        return (start > 0 ? block + 1 : block, index - start)
    }

    /// The mailbox has `exists` messages now; new ones are the last. Returns whether it had more: then no number can be
    /// told any more, since EXISTS may never fall (RFC 9051 §7.4.1).
    @discardableResult
    mutating func resize(to exists: UInt32) -> Bool {
        let isSmaller = exists < count
        if isSmaller { forget(count: 0) }
        var added = Int(exists) - count
        guard added > 0 else { return isSmaller }
        count += added
        // New messages, one by one, share a block.
        if let last = blocks.last, last.uids != nil, last.count < Self.blockSize {
            let room = min(added, Self.blockSize - last.count)
            blocks[blocks.count - 1].uids?.append(contentsOf: repeatElement(0, count: room))
            blocks[blocks.count - 1].count += room
            added -= room
            guard added > 0 else { return isSmaller }
        }
        if let last = blocks.last, last.uids == nil {
            blocks[blocks.count - 1].count += added
        } else {
            blocks.append(Block(count: added, uids: nil))
        }
        return isSmaller
    }

    /// There are `count` messages, and nothing is known of their UIDs.
    mutating func forget(count: Int) {
        blocks = count > 0 ? [Block(count: count, uids: nil)] : []
        self.count = count
    }

    /// A message went; those behind it move up. Returns whether there was one, and its UID.
    @discardableResult
    mutating func remove(_ number: SequenceNumber) -> (wasThere: Bool, uid: UID?) {
        guard let (block, index) = place(of: number) else { return (false, nil) }
        let uid = blocks[block].uids?.remove(at: index)
        blocks[block].count -= 1
        if blocks[block].count == 0 { blocks.remove(at: block) }
        count -= 1
        return (true, uid.flatMap { UID($0) })
    }

    /// Messages went by UID. Returns how many of them were known by it.
    mutating func remove(_ uids: UIDSet) -> Int {
        var removed = 0
        for block in blocks.indices {
            blocks[block].uids?.removeAll { UID($0).map(uids.contains) ?? false }
            guard let left = blocks[block].uids?.count else { continue }
            removed += blocks[block].count - left
            blocks[block].count = left
        }
        blocks.removeAll { $0.count == 0 }
        count -= removed
        return removed
    }

    // Blocks are few: a million messages with UIDs are a thousand blocks.
    private func place(of number: SequenceNumber) -> (block: Int, index: Int)? {
        var index = Int(number.rawValue) - 1
        guard index < count else { return nil }
        for block in blocks.indices {
            if index < blocks[block].count { return (block, index) }
            index -= blocks[block].count
        }
        return nil
    }
}
