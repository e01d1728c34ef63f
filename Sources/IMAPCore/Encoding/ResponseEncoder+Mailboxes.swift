import MartletBytes

extension ResponseEncoder {
    mutating func write(_ entry: ListEntry) {
        write(entry.kind.rawValue)
        write(" ")
        parenthesized(entry.attributes) { $0.flag($1.rawValue) }
        write(" ")
        delimiter(entry.delimiter)
        write(" ")
        mailbox(entry.name)
        guard entry.oldName != nil || !entry.childInfo.isEmpty || !entry.extendedData.isEmpty else {
            return
        }
        var isFirst = true
        func separate(_ encoder: inout ResponseEncoder) {
            if !isFirst { encoder.write(" ") }
            isFirst = false
        }
        write(" (")
        if !entry.childInfo.isEmpty {
            separate(&self)
            write("\"CHILDINFO\" ")
            parenthesized(entry.childInfo) { $0.string($1.utf8) }
        }
        if let oldName = entry.oldName {
            separate(&self)
            write("\"OLDNAME\" (")
            mailbox(oldName)
            write(")")
        }
        for item in entry.extendedData {
            separate(&self)
            extended(item)
        }
        write(")")
    }

    private mutating func delimiter(_ delimiter: UInt8?) {
        if let delimiter { quoted([delimiter]) } else { write("NIL") }
    }

    mutating func write(_ status: MailboxStatus, of name: MailboxName) {
        write("STATUS ")
        mailbox(name)
        var items: [(StaticString, UInt64)] = []
        func add(_ name: StaticString, _ value: UInt64?) {
            if let value { items.append((name, value)) }
        }
        add("MESSAGES", status.messages.map { UInt64($0) })
        add("RECENT", status.recent.map { UInt64($0) })
        add("UIDNEXT", status.uidNext.map { UInt64($0.rawValue) })
        add("UIDVALIDITY", status.uidValidity.map { UInt64($0.rawValue) })
        add("UNSEEN", status.unseen.map { UInt64($0) })
        add("DELETED", status.deleted.map { UInt64($0) })
        add("SIZE", status.sizeInOctets)
        add("DELETED-STORAGE", status.deletedStorageInOctets)
        add("HIGHESTMODSEQ", status.highestModSeq?.rawValue)
        if case .octets(let limit) = status.appendLimit { add("APPENDLIMIT", limit) }
        write(" (")
        var isFirst = true
        func separate(_ encoder: inout ResponseEncoder) {
            if !isFirst { encoder.write(" ") }
            isFirst = false
        }
        for (name, value) in items {
            separate(&self)
            write(name)
            write(" ")
            number(value)
        }
        if status.appendLimit == MailboxStatus.AppendLimit.none {
            separate(&self)
            write("APPENDLIMIT NIL")
        }
        if let id = status.mailboxID {
            separate(&self)
            write("MAILBOXID (")
            astring(id.rawValue.utf8)
            write(")")
        }
        for item in status.others {
            separate(&self)
            extended(item)
        }
        write(")")
    }

    mutating func write(_ response: NamespaceResponse) {
        write("NAMESPACE")
        for namespaces in [response.personal, response.otherUsers, response.shared] {
            write(" ")
            guard !namespaces.isEmpty else {
                write("NIL")
                continue
            }
            write("(")
            for namespace in namespaces {
                write("(")
                string(namespace.prefix.octets(isUTF8: isUTF8))
                write(" ")
                delimiter(namespace.delimiter)
                for item in namespace.extensions { spaced { $0.extended(item) } }
                write(")")
            }
            write(")")
        }
    }

    mutating func write(_ id: IDParameters) {
        write("ID ")
        guard !id.parameters.isEmpty else { return write("NIL") }
        parenthesized(id.parameters) { encoder, parameter in
            encoder.string(parameter.name.utf8)
            encoder.write(" ")
            encoder.nstring(parameter.value?.utf8)
        }
    }

    mutating func write(_ quota: QuotaResponse) {
        write("QUOTA ")
        astring(quota.root.utf8)
        write(" ")
        parenthesized(quota.resources) { encoder, resource in
            encoder.astring(resource.name.utf8)
            encoder.spaced { $0.number(resource.usage) }
            encoder.spaced { $0.number(resource.limit) }
        }
    }

    mutating func write(_ quotaRoot: QuotaRootResponse) {
        write("QUOTAROOT ")
        mailbox(quotaRoot.mailbox)
        for root in quotaRoot.roots { spaced { $0.astring(root.utf8) } }
    }

    mutating func write(_ acl: ACLResponse) {
        write("ACL ")
        mailbox(acl.mailbox)
        for entry in acl.entries {
            spaced { $0.astring(entry.identifier.utf8) }
            spaced { $0.astring(entry.rights.letters.utf8) }
        }
    }

    mutating func write(_ rights: ListRightsResponse) {
        write("LISTRIGHTS ")
        mailbox(rights.mailbox)
        spaced { $0.astring(rights.identifier.utf8) }
        for rights in [rights.required] + rights.optional {
            spaced { $0.astring(rights.letters.utf8) }
        }
    }

    mutating func write(_ rights: MyRightsResponse) {
        write("MYRIGHTS ")
        mailbox(rights.mailbox)
        spaced { $0.astring(rights.rights.letters.utf8) }
    }

    mutating func write(_ metadata: MetadataResponse) {
        write("METADATA ")
        if let name = metadata.mailbox { mailbox(name) } else { write("\"\"") }
        for name in metadata.changedNames { spaced { $0.astring(name.utf8) } }
        guard !metadata.entries.isEmpty || metadata.changedNames.isEmpty else { return }
        write(" ")
        parenthesized(metadata.entries) { encoder, entry in
            encoder.astring(entry.name.utf8)
            encoder.spaced { $0.data(entry.value) }
        }
    }
}
