#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Pieces that wait to be written, and how far the writing has come.
struct Gather {
    /// Pieces given to one system call; the rest waits for the next.
    private static let vectors = 16

    private var pieces: [ArraySlice<UInt8>]
    private var first = 0
    private var offset = 0

    init(_ pieces: [ArraySlice<UInt8>]) {
        self.pieces = pieces
        skipEmpty()
    }

    var isEmpty: Bool { first == pieces.count }

    /// Takes `count` octets off the front.
    mutating func drop(_ count: Int) {
        var count = count
        while count > 0, first < pieces.count {
            let left = pieces[first].count - offset
            if count < left {
                offset += count
                return
            }
            count -= left
            first += 1
            offset = 0
        }
        skipEmpty()
    }

    private mutating func skipEmpty() {
        while first < pieces.count, pieces[first].count == offset {
            first += 1
            offset = 0
        }
    }

    /// Lends pointers to the front pieces.
    func withVectors(_ body: (UnsafeMutableBufferPointer<iovec>) -> Int) -> Int {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.vectors) { vectors in
            fill(vectors, 0, body)
        }
    }

    // One level of recursion for each piece keeps every piece's storage lent until `body` is done.
    private func fill(
        _ vectors: UnsafeMutableBufferPointer<iovec>, _ count: Int,
        _ body: (UnsafeMutableBufferPointer<iovec>) -> Int
    ) -> Int {
        guard count < vectors.count, first + count < pieces.count else {
            return body(UnsafeMutableBufferPointer(rebasing: vectors[..<count]))
        }
        return pieces[first + count].withUnsafeBytes { raw in
            let rest = count == 0 ? UnsafeRawBufferPointer(rebasing: raw[offset...]) : raw
            vectors[count] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
            return fill(vectors, count + 1, body)
        }
    }
}

/// `sendmsg`: like `writev`, without SIGPIPE.
func sendVectors(_ socket: CInt, _ vectors: UnsafeMutableBufferPointer<iovec>) -> Int {
    var message = msghdr()
    message.msg_iov = vectors.baseAddress
    message.msg_iovlen = .init(vectors.count)
    return sendmsg(socket, &message, sendFlags)
}
