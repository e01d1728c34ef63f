import MartletBytes

extension Part {
    /// The files that came with this part, taken as a message of its own, in their order.
    ///
    /// They are `bodyViews.attachments`, images, sound and film from the bodies, and files in the plain texts. The text
    /// of an AMP message is none, since it is another form of the text.
    ///
    /// - Parameter unpacking: whether a `winmail.dat` with files in it is left out for them; else it is a file like any
    ///   other, and files in texts stay there.
    public func attachedFiles(unpacking: Bool = true) -> [AttachedFile] {
        let views = bodyViews
        let shown = Set((views.textBody + views.htmlBody).map(\.index))
        let beside = Set(views.attachments.map(\.index))
        var finder = AttachedFileFinder(limits: table.limits, unpacks: unpacking)
        for part in partsOfMessage where shown.contains(part.index) || beside.contains(part.index) {
            finder.take(part, isShown: shown.contains(part.index))
        }
        return finder.files
    }

    /// This part and the parts in it, each before its children; not those of messages in it.
    var partsOfMessage: [Part] {
        var all: [Part] = []
        var open = [self]
        while let part = open.popLast() {
            all.append(part)
            if part.kind == .multipart { open += Array(part.children).reversed() }
        }
        return all
    }
}

/// Collects files and gives them names.
private struct AttachedFileFinder {
    let limits: MIMELimits
    let unpacks: Bool
    private(set) var files: [AttachedFile] = []
    private var names: UniqueFileNames

    init(limits: MIMELimits, unpacks: Bool) {
        self.limits = limits
        self.unpacks = unpacks
        names = UniqueFileNames(sizeLimitInOctets: limits.fileNameSizeInOctets)
    }

    mutating func take(_ part: Part, isShown: Bool) {
        let form = BodyForm(of: part)
        if isShown, form != .media {
            if form == .plain, unpacks { addFiles(inTextOf: part) }
            return
        }
        if part.isAMP { return }
        if unpacks, part.isTNEF, let tnef = part.tnef(), !tnef.files.isEmpty {
            return addFiles(of: tnef, in: part)
        }
        add(
            part: part, name: part.fileName, fallback: part.nameWithoutName,
            type: part.contentType, contentID: part.contentID?.text,
            isInline: isShown || part.isShownByReference, content: .body)
    }

    private mutating func addFiles(inTextOf part: Part) {
        guard part.kind == .leaf else { return }
        let body = part.decodedBody().value
        for file in EmbeddedFile.find(in: body, limits: limits).value {
            let type = ContentType.forFileName(file.name)
            add(
                part: part, name: file.name.isEmpty ? nil : file.name, fallback: "attachment",
                type: ContentTypeField(type: type.type, subtype: type.subtype), contentID: nil,
                isInline: false, content: .octets(file.octets))
        }
    }

    private mutating func addFiles(of tnef: TNEF, in part: Part) {
        for file in tnef.files {
            add(
                part: part, name: file.name, fallback: "attachment", type: file.type,
                contentID: file.contentID, isInline: file.isInline, content: .tnef(tnef, file))
        }
    }

    private mutating func add(
        part: Part, name: String?, fallback: String, type: ContentTypeField, contentID: String?,
        isInline: Bool, content: AttachedFile.Content
    ) {
        let safe = SafeFileName(
            name, typeName: type.description, fallback: fallback,
            sizeLimitInOctets: limits.fileNameSizeInOctets)
        files.append(
            AttachedFile(
                part: part, name: name, safeName: names.name(safe), type: type,
                contentID: contentID, isInline: isInline, content: content))
    }
}

extension Part {
    /// What a file without a name is called: a message by its subject.
    fileprivate var nameWithoutName: String {
        embeddedMessage.map { SafeFileName.title(of: $0.subject ?? "") } ?? "attachment"
    }

    /// Whether a text is meant to show the file: it says `inline`, or it belongs to a text and has a name for it.
    fileprivate var isShownByReference: Bool {
        if let disposition { return !disposition.isAttachment }
        guard kind == .leaf, parent?.contentType.description == "multipart/related" else {
            return false
        }
        return contentID != nil || header["Content-Location"] != nil
    }
}
