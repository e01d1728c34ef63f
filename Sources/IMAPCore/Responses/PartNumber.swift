import MartletBytes

/// The place of a part in a message, such as `2.1`; empty for the message itself. RFC 9051 §6.4.5.1 `section-part`.
public struct PartNumber: Hashable, Sendable, CustomStringConvertible {
    /// The numbers from the outermost, each from 1.
    public var path: [UInt32]

    /// The message itself.
    public static let message = PartNumber([])

    /// Makes one.
    public init(_ path: [UInt32]) { self.path = path }

    /// Reads `2.1`; `nil` where it is none: a number of 0 or beyond 32 bits, anything else between.
    public init?(_ text: some StringProtocol) {
        path = []
        for word in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard word.utf8.allSatisfy(\.isDigit), let number = UInt32(word), number > 0 else {
                return nil
            }
            path.append(number)
        }
    }

    /// The part with a number inside of this one.
    public func child(_ number: UInt32) -> PartNumber { PartNumber(path + [number]) }

    /// As it goes over the wire.
    public var description: String { path.map(String.init).joined(separator: ".") }
}
