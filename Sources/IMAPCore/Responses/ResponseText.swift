import MartletBytes
import MartletMIME

/// The end of a status response: `[CODE] words`. RFC 9051 §7.1, §9 `resp-text`.
public struct ResponseText: Hashable, Sendable {
    /// The code in brackets, for programs.
    public var code: ResponseCode?
    /// The words for people, as they came.
    public var octets: [UInt8]

    /// Makes one.
    public init(code: ResponseCode? = nil, octets: [UInt8]) {
        self.code = code
        self.octets = octets
    }

    /// Makes one.
    public init(code: ResponseCode? = nil, _ words: String = "") {
        self.init(code: code, octets: Array(words.utf8))
    }

    /// The words for people, on one line and without control characters.
    public var words: String { HeaderText.decode(octets[...]).value }
}

extension IMAPCursor {
    // resp-text = ["[" resp-text-code "]" SP] [text]
    /// The rest of a status response. Never fails: a code that nothing closes is text.
    ///
    /// QUIRK(exchange-bare-resp-code): nothing behind the code, not even a space.
    mutating func responseText() -> ResponseText {
        skipSpaces()
        guard next == UInt8(ascii: "[") else { return ResponseText(octets: Array(rest)) }
        let start = index
        index += 1
        guard let code = responseCode() else {
            index = start
            return ResponseText(octets: Array(rest))
        }
        _ = takeIfPresent(ASCII.space)
        return ResponseText(code: code, octets: Array(rest))
    }
}
