import MartletBytes

/// A message, taken apart: the entity that is signed or encrypted, and the header that stays outside. RFC 8551 §3.1.
struct SMIMEEntity {
    /// The `Content-…` fields and the body, with CRLF for line ends.
    let entity: [UInt8]
    /// All other fields, `MIME-Version` among them.
    private(set) var outerFields: [UInt8] = []

    init(_ message: [UInt8]) throws(SignatureError) {
        let (header, bodyStart) = MessageReading.header(of: Octets(message), limits: .standard)
        guard header.problem == nil else {
            throw SignatureError(
                .invalidHeader,
                "the header of the message has lines that are no fields, or is too large")
        }
        var inner: [UInt8] = []
        var hasVersion = false
        for field in header.fields {
            let octets = header.octets[field.nameRange.lowerBound..<field.valueRange.upperBound]
            let line = canonicalLines(Array(octets)) + [ASCII.cr, ASCII.lf]
            if field.name.starts(with: "content-".utf8) {
                inner += line
            } else {
                hasVersion = hasVersion || field.name.elementsEqual("mime-version".utf8)
                outerFields += line
            }
        }
        if !hasVersion { outerFields += Array("MIME-Version: 1.0\r\n".utf8) }
        entity = inner + [ASCII.cr, ASCII.lf] + canonicalLines(Array(message[bodyStart...]))
    }

    /// The message whose body is the CMS structure. RFC 8551 §3.2.
    func message(holding structure: [UInt8], type: String) -> [UInt8] {
        var message = outerFields
        message += Array(
            """
            Content-Type: application/pkcs7-mime; smime-type=\(type);\r
             name="smime.p7m"\r
            Content-Transfer-Encoding: base64\r
            Content-Disposition: attachment; filename="smime.p7m"\r
            \r

            """.utf8)
        var encoder = Base64LineEncoder()
        encoder.encode(structure, into: &message)
        encoder.finish(into: &message)
        return message
    }

    /// The message that has the entity and its signature beside each other. RFC 8551 §3.5.3.
    func message(signedBy signature: [UInt8]) -> [UInt8] {
        let boundary = boundary
        var message = outerFields
        message += Array(
            """
            Content-Type: multipart/signed; protocol="application/pkcs7-signature";\r
             micalg=sha-256; boundary="\(boundary)"\r
            \r
            This is a signed message in the form of S/MIME.\r
            --\(boundary)\r

            """.utf8)
        message += entity
        message += Array(
            """
            \r
            --\(boundary)\r
            Content-Type: application/pkcs7-signature; name="smime.p7s"\r
            Content-Transfer-Encoding: base64\r
            Content-Disposition: attachment; filename="smime.p7s"\r
            \r

            """.utf8)
        var encoder = Base64LineEncoder()
        encoder.encode(signature, into: &message)
        encoder.finish(into: &message)
        return message + Array("--\(boundary)--\r\n".utf8)
    }

    /// One that is not in the entity: who could write a text that has its own digest in it?
    private var boundary: String {
        var digits: [UInt8] = []
        for octet in SHA256.digest(of: entity).prefix(16) { Hex.append(octet, to: &digits) }
        return "=_signed_" + String(decoding: digits, as: UTF8.self)
    }
}
