import MartletBytes

extension OutgoingMessage {
    /// Makes the octets of the message: canonical CRLF, no line over 998 octets, `bcc` left out.
    ///
    /// The body is a text, or `multipart/alternative` of text, AMP, HTML (in a `multipart/related` with
    /// what it shows) and calendar; with attachments it becomes the first part of a `multipart/mixed`
    /// (RFC 2046 §5.1, RFC 2387). Large attachments, and those not in memory, are read and encoded only
    /// while the result is read. One message always gives the same octets.
    /// - Throws: `CompositionError` naming the field at fault, before anything is made.
    public func rendered(
        _ options: RenderingOptions = RenderingOptions()
    ) throws(CompositionError) -> RenderedMessage {
        try rendered(options, includesBcc: false)
    }

    /// Makes the octets of an unfinished message, `bcc` among them: for a drafts folder, never to be sent.
    /// `init(editing:)` reads it back.
    ///
    /// - Throws: as `rendered(_:)`.
    public func renderedDraft(
        _ options: RenderingOptions = RenderingOptions()
    ) throws(CompositionError) -> RenderedMessage {
        try rendered(options, includesBcc: true)
    }

    private func rendered(
        _ options: RenderingOptions, includesBcc: Bool
    ) throws(CompositionError) -> RenderedMessage {
        let header = try MessageHeader(of: self, options: options, includesBcc: includesBcc)
        let body = try BodyTree(of: self, options: options)
        var assembler = MessageAssembler(
            header: header.writer.octets + "MIME-Version: 1.0\r\n".utf8, body: body)
        try assembler.append(body)
        return RenderedMessage(
            segments: assembler.finish(), needs8BitMIME: assembler.has8Bit,
            needsSMTPUTF8: header.needsSMTPUTF8)
    }
}
