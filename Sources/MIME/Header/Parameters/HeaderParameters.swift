import MartletBytes

/// The parameters of a field as they were read, such as those of `Content-Type` and
/// `Content-Disposition`. RFC 2045 §5.1, RFC 2231.
///
/// Each name is there once. Sections are joined, charsets and encoded words decoded.
public struct HeaderParameters: Hashable, Sendable {
    /// A parameter.
    public struct Parameter: Hashable, Sendable {
        /// The name in lower case, without the signs of RFC 2231.
        public var name: String
        /// The value as people shall see it: one line without control characters.
        public var value: String
        /// The language that the value says it is in. RFC 2231 §4.
        public var language: String?

        /// Makes a parameter of a name in lower case.
        public init(name: String, value: String, language: String? = nil) {
            self.name = name
            self.value = value
            self.language = language
        }
    }

    private var parameters: [Parameter]

    /// Makes a list of `parameters`, whose names are in lower case and different.
    public init(_ parameters: [Parameter] = []) { self.parameters = parameters }

    /// The value of a parameter, whose name is given in lower case; `nil` without one.
    public subscript(name: String) -> String? {
        for parameter in parameters where parameter.name == name { return parameter.value }
        return nil
    }
}

extension HeaderParameters: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { parameters.startIndex }
    /// The position behind the last.
    public var endIndex: Int { parameters.endIndex }
    /// The parameter at `position`.
    public subscript(position: Int) -> Parameter { parameters[position] }
}
