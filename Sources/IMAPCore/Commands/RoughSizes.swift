/// How many octets answers take in memory, more or less: enough to stop before there is none left.
extension FetchResponse {
    var roughSizeInOctets: Int { items.reduce(64) { $0 + 64 + $1.roughSizeInOctets } }
}

extension FetchItem {
    fileprivate var roughSizeInOctets: Int {
        switch self {
        case .flags(let flags): flags.reduce(0) { $0 + 16 + $1.rawValue.utf8.count }
        case .gmailLabels(let labels): labels.reduce(0) { $0 + 32 + 2 * $1.text.utf8.count }
        case .envelope(.value(let envelope)): envelope.roughSizeInOctets
        case .bodyStructure(.value(let structure)), .body(.value(let structure)):
            structure.parts.reduce(0) { $0 + $1.roughSizeInOctets }
        case .envelope(.damaged(let octets, _)), .bodyStructure(.damaged(let octets, _)),
            .body(.damaged(let octets, _)), .unknown(_, let octets), .damaged(_, let octets, _):
            octets.count
        case .section(_, _, let data), .binary(_, _, let data), .rfc822(_, let data):
            data.octets?.count ?? 0
        case .preview(let text): text?.utf8.count ?? 0
        case .emailID(let id), .threadID(let id?): id.rawValue.utf8.count
        default: 0
        }
    }
}

extension MessageEnvelope {
    fileprivate var roughSizeInOctets: Int {
        let texts = [dateOctets, subjectOctets, inReplyToOctets, messageIDOctets]
        let lists = [from, sender, replyTo, to, cc, bcc]
        return texts.reduce(200) { $0 + 32 + ($1?.count ?? 0) }
            + lists.reduce(0) { $1.reduce($0) { $0 + $1.roughSizeInOctets } }
    }
}

extension EnvelopeAddress {
    fileprivate var roughSizeInOctets: Int {
        [name, route, mailbox, host].reduce(32) { $0 + 32 + ($1?.count ?? 0) }
    }
}

extension BodyStructurePart {
    fileprivate var roughSizeInOctets: Int {
        let texts = [contentIDOctets, descriptionOctets, md5, locationOctets, extensionOctets]
        let parameters = rawParameters + (rawDisposition?.parameters ?? [])
        return 400 + texts.reduce(0) { $0 + ($1?.count ?? 0) }
            + parameters.reduce(0) { $0 + 64 + $1.name.utf8.count + $1.value.count }
            + languages.reduce(0) { $0 + 16 + $1.utf8.count }
            + 4 * number.path.count + type.utf8.count + subtype.utf8.count
            + (envelope?.value?.roughSizeInOctets ?? 0)
    }
}

extension ListEntry {
    var roughSizeInOctets: Int {
        200 + 2 * name.encoded.count + 2 * (oldName?.encoded.count ?? 0)
            + attributes.reduce(0) { $0 + 16 + $1.rawValue.utf8.count }
            + childInfo.reduce(0) { $0 + 16 + $1.utf8.count }
            + extendedData.reduce(0) { $0 + 64 + $1.octets.count }
    }
}

extension MetadataResponse {
    var roughSizeInOctets: Int {
        entries.reduce(64) { $0 + 64 + $1.name.utf8.count + ($1.value.octets?.count ?? 0) }
    }
}

extension MessageNumberList {
    var roughSizeInOctets: Int { 8 * runs.count }
}
