extension Charset {
    /// The charset that a label stands for, as browsers and mail readers read it.
    ///
    /// Case, blanks, quotes, punctuation (`iso_8859-1`, `iso88591`), an `x-`, a `cs` and a `charset=` in
    /// front make no difference. The labels are those of the WHATWG Encoding Standard, IANA's aliases and
    /// what mail in the wild has (`win-1251`, `WE8MSWIN1252`, `cp65001`).
    ///
    /// - Returns: `nil` for a label that says nothing (`unknown-8bit`, `default`, `x-user-defined`): use
    ///   ``decodeUnlabelled(_:detector:)-(UnsafeRawBufferPointer,_)``.
    public init?(label: some StringProtocol) {
        self.init(label: label.utf8)
    }

    /// The charset that a label's octets stand for; see ``init(label:)-(StringProtocol)``.
    public init?(label: some Collection<UInt8>) {
        guard let key = LabelKey(label), let encoding = Self.find(key) else { return nil }
        self.init(encoding)
    }

    /// One prefix of each kind at most, in the order in which they are written.
    private static func find(_ key: LabelKey) -> Encoding? {
        if let encoding = CharsetLabels.encodings[key] { return encoding }
        if let rest = key.dropping(prefix: "charset") { return find(rest, without: ["x", "cs"]) }
        return find(key, without: ["x", "cs"])
    }

    private static func find(_ key: LabelKey, without prefixes: [StaticString]) -> Encoding? {
        if let encoding = CharsetLabels.encodings[key] { return encoding }
        for prefix in prefixes {
            if let rest = key.dropping(prefix: prefix),
                let encoding = CharsetLabels.encodings[rest]
            {
                return encoding
            }
        }
        return nil
    }
}
