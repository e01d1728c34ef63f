import MartletBytes

extension ResponseEncoder {
    /// A structure: parts are opened and closed by a list of those that are open, instead of calls.
    mutating func write(_ structure: BodyStructure, isExtended: Bool) {
        let parts = structure.parts
        var hasChild = [Bool](repeating: false, count: parts.count)
        for part in parts {
            if let parent = part.parent, parts.indices.contains(parent) { hasChild[parent] = true }
        }
        var open: [Int] = []
        for (place, part) in parts.enumerated() {
            while let last = open.last, last != part.parent {
                close(parts[last], isExtended)
                open.removeLast()
            }
            if begin(part, hasChild: hasChild[place], isExtended) { open.append(place) }
        }
        while let last = open.popLast() { close(parts[last], isExtended) }
    }

    /// Writes a part, or opens one that others are in.
    private mutating func begin(_ part: BodyStructurePart, hasChild: Bool, _ isExtended: Bool)
        -> Bool
    {
        if part.type.isEmpty, part.failure != nil {
            octets += part.extensionOctets
            return false
        }
        write("(")
        if part.type == "multipart" {
            if !hasChild { write("()") }
            return true
        }
        string(part.type.utf8)
        spaced { $0.string(part.subtype.utf8) }
        spaced { $0.write(part.rawParameters) }
        spaced { $0.nstring(part.contentIDOctets) }
        spaced { $0.nstring(part.descriptionOctets) }
        spaced { $0.nstring(part.transferEncoding.isEmpty ? nil : part.transferEncoding.utf8) }
        spaced { $0.number(part.sizeInOctets) }
        let isMessage =
            part.type == "message" && (part.subtype == "rfc822" || part.subtype == "global")
        if isMessage {
            spaced { encoder in
                if let envelope = part.envelope {
                    encoder.write(envelope) { $0.write($1) }
                } else {
                    encoder.write("NIL")
                }
            }
            write(" ")
            if hasChild { return true }
            write("NIL")
        }
        if part.lineCount != nil || part.type == "text" { spaced { $0.number(part.lineCount) } }
        if isExtended { writeEnd(of: part) }
        write(")")
        return false
    }

    private mutating func close(_ part: BodyStructurePart, _ isExtended: Bool) {
        if part.failure != nil {
            octets += part.extensionOctets
        } else if part.type == "multipart" {
            spaced { $0.string(part.subtype.utf8) }
            if isExtended {
                spaced { $0.write(part.rawParameters) }
                writeCommonEnd(of: part)
            }
        } else {
            spaced { $0.number(part.lineCount) }
            if isExtended { writeEnd(of: part) }
        }
        write(")")
    }

    private mutating func writeEnd(of part: BodyStructurePart) {
        spaced { $0.nstring(part.md5) }
        writeCommonEnd(of: part)
    }

    private mutating func writeCommonEnd(of part: BodyStructurePart) {
        spaced { encoder in
            guard let disposition = part.rawDisposition else { return encoder.write("NIL") }
            encoder.write("(")
            encoder.string(disposition.kind.utf8)
            encoder.spaced { $0.write(disposition.parameters) }
            encoder.write(")")
        }
        spaced { encoder in
            guard !part.languages.isEmpty else { return encoder.write("NIL") }
            encoder.parenthesized(part.languages) { $0.string($1.utf8) }
        }
        spaced { $0.nstring(part.locationOctets) }
        if !part.extensionOctets.isEmpty { spaced { $0.octets += part.extensionOctets } }
    }

    private mutating func number(_ number: UInt64?) {
        if let number { self.number(number) } else { write("NIL") }
    }

    private mutating func write(_ parameters: [BodyStructurePart.Parameter]) {
        guard !parameters.isEmpty else { return write("NIL") }
        parenthesized(parameters) { encoder, parameter in
            encoder.string(parameter.name.utf8)
            encoder.spaced { $0.string(parameter.value) }
        }
    }
}
