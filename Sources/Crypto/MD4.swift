/// MD4, RFC 1320: broken long ago, and still what NTLM makes its key of. Nothing else may use it.
///
/// OpenSSL has it in a provider that many systems leave out, and that must be loaded for the whole process.
package enum MD4 {
    /// The digest of `octets`: 16 octets. RFC 1320 §3.
    package static func hash(_ octets: [UInt8]) -> [UInt8] {
        var message = octets
        defer { wipe(&message) }
        let bitCount = UInt64(octets.count) &* 8
        message.reserveCapacity((octets.count + 72) / 64 * 64)
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in 0..<8 { message.append(UInt8(truncatingIfNeeded: bitCount >> (8 * shift))) }

        var state: (UInt32, UInt32, UInt32, UInt32) = (
            0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476
        )
        var block = [UInt32](repeating: 0, count: 16)
        for start in stride(from: 0, to: message.count, by: 64) {
            for index in 0..<16 {
                let at = start + 4 * index
                block[index] =
                    UInt32(message[at]) | UInt32(message[at + 1]) << 8
                    | UInt32(message[at + 2]) << 16 | UInt32(message[at + 3]) << 24
            }
            add(block, to: &state)
        }
        for index in block.indices { block[index] = 0 }
        return [state.0, state.1, state.2, state.3].flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    /// The order of words in each of the three rounds, how far each result is turned, and what is added. §3.4.
    private static let rounds: [(order: [Int], turns: [UInt32], constant: UInt32)] = [
        (Array(0..<16), [3, 7, 11, 19], 0),
        ([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], [3, 5, 9, 13], 0x5A82_7999),
        ([0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], [3, 9, 11, 15], 0x6ED9_EBA1),
    ]

    private static func add(_ block: [UInt32], to state: inout (UInt32, UInt32, UInt32, UInt32)) {
        var (a, b, c, d) = state
        for (number, round) in rounds.enumerated() {
            for step in 0..<16 {
                let mixed: UInt32 =
                    switch number {
                    case 0: b & c | ~b & d
                    case 1: b & c | b & d | c & d
                    default: b ^ c ^ d
                    }
                let sum = a &+ mixed &+ block[round.order[step]] &+ round.constant
                let turn = round.turns[step % 4]
                (a, b, c, d) = (d, sum << turn | sum >> (32 - turn), b, c)
            }
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }
}
