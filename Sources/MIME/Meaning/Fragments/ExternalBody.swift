import MartletBytes

/// A body that lies elsewhere: a `message/external-body`. RFC 2046 §5.2.3, RFC 2017. Nothing is fetched.
public struct ExternalBody: Sendable {
    /// How to get it, in lower case: `url`, `anon-ftp`, `ftp`, `tftp`, `local-file`, `mail-server`, `content-id` and others.
    public let accessType: String
    /// Until when it can be had.
    public let expiration: MailDate?
    /// How many octets it has.
    public let sizeInOctets: Int?
    /// `read` or `read-write`; `read` where it does not say. In lower case.
    public let permission: String
    /// The file, for `ftp`, `anon-ftp`, `tftp` and `local-file`: somebody else's path.
    public let name: String?
    /// The host of the file.
    public let site: String?
    /// The folder of the file on that host.
    public let directory: String?
    /// How to transfer the file.
    public let mode: String?
    /// The address to ask, for `mail-server`.
    public let server: String?
    /// The subject to ask with.
    public let subject: String?
    /// The URL, for `url`, without the white space that folds it.
    public let url: String?
    /// All parameters.
    public let parameters: HeaderParameters
    /// The header that the body would have, and, for `mail-server`, the text to send.
    public let phantom: Part

    /// The type that the body would have.
    public var type: ContentTypeField { phantom.contentType }
    /// What the body is called, without angle brackets; RFC 2046 §5.2.3 requires it.
    public var contentID: String? { phantom.contentID?.text }
}

extension Part {
    /// Where the body lies, if the part says that it lies elsewhere; `nil` for other parts.
    public var externalBody: ExternalBody? {
        guard kind == .leaf else { return nil }
        let type = contentType
        guard type.type == "message", type.subtype == "external-body" else { return nil }
        let parameters = type.parameters
        func text(_ name: String) -> String? { parameters[name]?.trimmedOfSpace.nonEmpty }
        return ExternalBody(
            accessType: text("access-type")?.lowercased() ?? "",
            expiration: text("expiration").flatMap { MailDate.parse(Array($0.utf8)).value },
            sizeInOctets: text("size").flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil },
            permission: text("permission")?.lowercased() ?? "read", name: text("name"),
            site: text("site"), directory: text("directory"), mode: text("mode"),
            server: text("server"), subject: text("subject"),
            url: text("url").map { url in
                String(decoding: url.utf8.filter { $0 > ASCII.space }, as: UTF8.self)
            },
            parameters: parameters,
            phantom: Message(parsing: decodedBody().value, limits: table.limits).root)
    }
}
