extension ContentTransferEncoding {
    /// The encoding with a name such as `BASE64` or `quoted-printable`, in any case and spelling that mail has.
    public init(named name: some StringProtocol) {
        self = Self.parse(Array(name.utf8)[...]).value
    }

    /// The octets that an encoded body stands for. Octets that cannot be in it are passed over, with a defect.
    public func decode(
        _ body: [UInt8], limits: MIMELimits = .standard
    ) -> Parsed<[UInt8]> {
        body.withUnsafeBytes { BodyDecoding.decode($0, self, limits: limits) }
    }
}
