/// Names for the octets that mail protocols are written in.
public enum ASCII {
    /// NUL, 0x00.
    public static let nul: UInt8 = 0x00
    /// Horizontal tab, 0x09.
    public static let tab: UInt8 = 0x09
    /// Line feed, 0x0A.
    public static let lf: UInt8 = 0x0A
    /// Vertical tab, 0x0B.
    public static let verticalTab: UInt8 = 0x0B
    /// Form feed, 0x0C.
    public static let formFeed: UInt8 = 0x0C
    /// Carriage return, 0x0D.
    public static let cr: UInt8 = 0x0D
    /// Escape, 0x1B.
    public static let escape: UInt8 = 0x1B
    /// Space, 0x20.
    public static let space: UInt8 = 0x20
    /// `"`, 0x22.
    public static let quote: UInt8 = 0x22
    /// `.`, 0x2E.
    public static let dot: UInt8 = 0x2E
    /// `-`, 0x2D.
    public static let hyphen: UInt8 = 0x2D
    /// `0`, 0x30.
    public static let zero: UInt8 = 0x30
    /// `<`, 0x3C.
    public static let less: UInt8 = 0x3C
    /// `=`, 0x3D.
    public static let equals: UInt8 = 0x3D
    /// `>`, 0x3E.
    public static let greater: UInt8 = 0x3E
    /// `\`, 0x5C.
    public static let backslash: UInt8 = 0x5C
    /// `_`, 0x5F.
    public static let underscore: UInt8 = 0x5F
    /// Delete, 0x7F.
    public static let del: UInt8 = 0x7F
}

extension UInt8 {
    /// `0`…`9`.
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }
    /// `A`…`Z` and `a`…`z`.
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// Space or tab: white space inside a line (WSP, RFC 5234 appendix B.1).
    @inlinable public var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// A letter, digit, hyphen or underscore: what the labels of host names are made of in practice.
    @inlinable package var isLabelOctet: Bool {
        isLetter || isDigit || self == 0x2D || self == 0x5F
    }
    /// CR or LF.
    @inlinable package var isLineBreak: Bool { self == 0x0D || self == 0x0A }
    /// Space, tab, CR or LF: what folds of header fields are made of (FWS, RFC 5322 §3.2.2).
    @inlinable package var isFoldingSpace: Bool { isBlank || isLineBreak }
    /// What the octet is worth as a hexadecimal digit, in either case; `nil` if it is none.
    package var hexValue: UInt8? {
        if isDigit { return self - ASCII.zero }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
    /// Octets below space, and delete.
    @inlinable public var isControl: Bool { self < 0x20 || self == 0x7F }
    /// The lower-case form of `A`…`Z`; every other octet is itself.
    @inlinable public var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    /// The upper-case form of `a`…`z`; every other octet is itself.
    @inlinable public var uppercased: UInt8 { self &- 0x61 < 26 ? self & 0xDF : self }
}
