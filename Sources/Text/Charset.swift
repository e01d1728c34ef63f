/// A character encoding that mail is written in.
public struct Charset: Hashable, Sendable {
    /// The name of the encoding in lower case, such as `windows-1252`.
    public let name: String
    package init(name: String) { self.name = name }

    /// UTF-8.
    public static let utf8 = Charset(name: "utf-8")
}
