import MartletBytes
import MartletMIME

/// A reply: three digits and text on one or more lines. RFC 5321 §4.2.
///
///     S: 250-mx.example.org greets you
///     S: 250 SIZE 10240000
public struct SMTPReply: Hashable, Sendable, CustomStringConvertible {
    /// The three digits, 200…599.
    public let code: Int
    /// The enhanced status code at the start of the text, where there is one.
    public let enhanced: EnhancedStatusCode?

    // The lines joined by LF, which no line can hold: one allocation for the common reply.
    let octets: [UInt8]

    init(code: Int, octets: [UInt8]) {
        self.code = code
        self.octets = octets
        enhanced = octets.withUnsafeBufferPointer { EnhancedStatusCode.prefix(of: $0)?.code }
    }

    /// Makes a reply from the texts of its lines. CR and LF in them become spaces.
    ///
    /// - Parameter code: traps unless it has three digits, the first being 2…5.
    public init(code: Int, lines: [[UInt8]]) {
        precondition(200...599 ~= code, "a reply code is 200…599")
        var octets: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { octets.append(ASCII.lf) }
            octets.append(contentsOf: line.map { $0 == ASCII.cr || $0 == ASCII.lf ? 0x20 : $0 })
        }
        self.init(code: code, octets: octets)
    }

    /// Makes a reply from text, one line for each line of it, each starting with the enhanced code. RFC 2034 §4.
    ///
    /// - Parameter code: traps unless it has three digits, the first being 2…5.
    public init(_ code: Int, _ enhanced: EnhancedStatusCode? = nil, _ text: String) {
        let prefix = enhanced.map { Array("\($0) ".utf8) } ?? []
        let lines = text.utf8.split(separator: ASCII.lf, omittingEmptySubsequences: false)
        self.init(code: code, lines: lines.map { prefix + $0 })
    }

    /// The octets of each line after the code and its `-` or space, as sent. At least one line, maybe empty.
    public var lines: [[UInt8]] {
        octets.split(separator: ASCII.lf, omittingEmptySubsequences: false).map([UInt8].init)
    }

    /// The text for people: lines joined by a line feed, without the enhanced codes; controls become `�`.
    public var text: String {
        var shown: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { shown.append(ASCII.lf) }
            let skipped = line.withUnsafeBufferPointer {
                enhanced == nil ? 0 : EnhancedStatusCode.prefix(of: $0)?.octets ?? 0
            }
            for octet in line.dropFirst(skipped) {
                if octet.isControl && octet != ASCII.tab {
                    shown.append(contentsOf: "\u{FFFD}".utf8)
                } else {
                    shown.append(octet)
                }
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// 2yz: done.
    public var isPositiveCompletion: Bool { code / 100 == 2 }
    /// 3yz: go on.
    public var isPositiveIntermediate: Bool { code / 100 == 3 }
    /// 4yz: not now; the same command may work later.
    public var isTransientFailure: Bool { code / 100 == 4 }
    /// 5yz: no; the same command will fail again.
    public var isPermanentFailure: Bool { code / 100 == 5 }

    /// Appends the wire form.
    public func encode(into output: inout [UInt8]) {
        let lines = octets.split(separator: ASCII.lf, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            output.append(ASCII.zero + UInt8(code / 100))
            output.append(ASCII.zero + UInt8(code / 10 % 10))
            output.append(ASCII.zero + UInt8(code % 10))
            output.append(index + 1 < lines.count ? ASCII.hyphen : ASCII.space)
            output.append(contentsOf: line)
            output.append(ASCII.cr)
            output.append(ASCII.lf)
        }
    }

    /// `550 5.1.1 "User unknown"`, on one line.
    public var description: String {
        let words = text.split(separator: "\n").joined(separator: " ")
        return "\(code)" + (enhanced.map { " \($0)" } ?? "")
            + (words.isEmpty ? "" : " \"\(words)\"")
    }
}
