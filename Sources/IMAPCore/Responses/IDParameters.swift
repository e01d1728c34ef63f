import MartletBytes

/// What a server or client says about itself, such as its name and version. RFC 2971 §3.3.
///
/// It is for statistics and for knowing quirks; nobody has to tell the truth.
public struct IDParameters: Hashable, Sendable {
    /// A name and a value.
    public struct Parameter: Hashable, Sendable {
        /// The name, as it was written.
        public var name: String
        /// The value; `nil` for `NIL`.
        public var value: String?

        /// Makes one.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// All in their order. Empty for `NIL`.
    public var parameters: [Parameter]

    /// Makes one.
    public init(_ parameters: [Parameter] = []) { self.parameters = parameters }

    /// The value of a name, which is compared without case; `nil` without one.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.utf8.equalsIgnoringCase(name.utf8) }?.value
    }
}

extension IMAPCursor {
    // id-params-list = "(" [string SP nstring *(SP string SP nstring)] ")" / nil
    mutating func idParameters() throws(ParseFailure) -> IDParameters {
        var parameters = IDParameters()
        if isAtEnd || nilIfPresent() { return parameters }
        try list { cursor throws(ParseFailure) in
            let name = try cursor.nstring() ?? []
            cursor.skipSpaces()
            let value = cursor.next == UInt8(ascii: ")") ? nil : try cursor.nstring()
            parameters.parameters.append(.init(name: name.text, value: value?.text))
        }
        return parameters
    }
}
