import MartletBytes

/// The value of an `Authentication-Results` field: what a server found out about who a message is from. RFC 8601. Also of
/// `ARC-Authentication-Results`, RFC 8617 §4.1.1.
///
/// Anybody can write such a field. It says something only if `authservID` is the name of one's own server, and that
/// server takes fields with its name off incoming mail (RFC 8601 §5, §7.1).
public struct AuthenticationResults: Hashable, Sendable {
    /// The result of one method.
    public struct Result: Hashable, Sendable {
        /// The method in lower case: `spf`, `dkim`, `dmarc`, `arc`, `iprev`, `auth`.
        public var method: String
        /// The method's version, where one is given.
        public var methodVersion: Int?
        /// The result in lower case: `pass`, `fail`, `softfail`, `neutral`, `none`, `temperror`, `permerror`, `policy`.
        public var result: String
        /// Why, for people.
        public var reason: String?
        /// What was looked at.
        public var properties: [Property] = []
        /// The first comment, decoded.
        public var comment: String?

        /// A result.
        public init(method: String, result: String) {
            self.method = method
            self.result = result
        }

        /// The value of the first property of that type and name, in any case: `value("header", "d")`.
        public func value(_ type: String, _ name: String) -> String? {
            let (type, name) = (type.utf8.map(\.lowercased), name.utf8.map(\.lowercased))
            return properties.first {
                $0.type.utf8.elementsEqual(type) && $0.name.utf8.elementsEqual(name)
            }?.value
        }
    }

    /// Something that was looked at: `header.d=example.org`.
    public struct Property: Hashable, Sendable {
        /// Where it is from, in lower case: `smtp`, `header`, `body`, `policy`; empty where none is given.
        public var type: String
        /// Its name in lower case: `mailfrom`, `d`, `from`.
        public var name: String
        /// Its value without quotes. It may be whatever the sender chose.
        public var value: String

        /// A property with its value.
        public init(type: String, name: String, value: String) {
            self.type = type
            self.name = name
            self.value = value
        }
    }

    /// The server that says it; `nil` where none is named, as some servers do.
    public var authservID: String?
    /// The version of the field, 1 where none is given.
    public var version = 1
    /// The place in the chain (`i=`) of an `ARC-Authentication-Results` field.
    public var instance: Int?
    /// The results in their order; none for `none`.
    public var results: [Result] = []

    /// No results of a server.
    public init(authservID: String? = nil) { self.authservID = authservID }

    /// The results of a method, in any case; there may be several of `dkim`.
    public func results(of method: String) -> [Result] {
        let name = method.utf8.map(\.lowercased)
        return results.filter { $0.method.utf8.elementsEqual(name) }
    }

    /// Reads the value of a field, which may be folded. Never fails; takes time linear in its length.
    ///
    /// - Parameter limits: `valueSizeInOctets`, and `parameterCount` for results and properties together; what is
    ///   beyond is not read.
    /// - Returns: what could be told, with `invalidValue` where something is no result.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<AuthenticationResults> {
        octets.readField(within: limits) { octets in
            var reader = AuthenticationResultsReader(octets, limits: limits)
            return reader.read()
        }
    }
}
