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
        guard let key = LabelKey(label), let meaning = CharsetLabels.find(key) else { return nil }
        self.init(meaning.encoding)
    }

    /// Whether a label promises ASCII: octets above 127 cannot be in what it stands for.
    package static func isASCII(label: some Collection<UInt8>) -> Bool {
        LabelKey(label).flatMap(CharsetLabels.find)?.isASCII ?? false
    }
}
