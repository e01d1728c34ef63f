import MartletBytes

/// A parameter as it stands in its field: neither joined with its sections nor decoded. RFC 2045 §5.1, RFC 2231 §3.
package struct RawParameter: Hashable, Sendable {
    /// The name as it was written, with the signs of RFC 2231.
    package var name: String
    /// The value without quotes, backslashes, line ends and NULs.
    package var value: [UInt8]
}

/// The value of a `Content-Type` or `Content-Disposition` field, its parameters as they stand: what servers tell of a part.
package struct RawStructuredValue: Hashable, Sendable {
    /// What the field begins with, in lower case; empty if that cannot be read.
    package var name: String
    /// What is behind the slash, in lower case; empty if that cannot be read.
    package var subname: String
    /// The parameters in their order; names may come more than once.
    package var parameters: [RawParameter]

    /// Reads a value as it stands in the message, folds included.
    static func read(
        _ value: UnsafeRawBufferPointer, allowsSlash: Bool, limits: MIMELimits
    ) -> RawStructuredValue {
        value.withMemoryRebound(to: UInt8.self) { octets in
            read(octets.span, allowsSlash: allowsSlash, limits: limits, mayBeEncoded: true)
        }
    }

    private static func read(
        _ octets: Span<UInt8>, allowsSlash: Bool, limits: MIMELimits, mayBeEncoded: Bool
    ) -> RawStructuredValue {
        var reader = StructuredFieldReader(octets, limits: limits)
        let head = reader.head(in: octets, allowsSlash: allowsSlash)
        if head.name.isEmpty, mayBeEncoded,
            let decoded = octets.decodedFromWord(at: head.start, limits: limits)
        {
            return read(
                decoded.span, allowsSlash: allowsSlash, limits: limits, mayBeEncoded: false)
        }
        return RawStructuredValue(
            name: octets.lowercasedName(head.name), subname: octets.lowercasedName(head.subname),
            parameters: reader.rawParameters(in: octets))
    }
}

extension StructuredFieldReader {
    /// Reads the parameters behind the head as they stand. What has no name or no value is left out.
    fileprivate mutating func rawParameters(in octets: Span<UInt8>) -> [RawParameter] {
        var parameters: [RawParameter] = []
        while cursor.skipToName(in: octets), parameters.count < limits.parameterCount {
            guard let name = cursor.name(in: octets) else { continue }
            let value = cursor.value(in: octets)
            if value.range.isEmpty, !value.isQuoted { continue }
            var content = value.gathered ?? octets.array(value.range)
            content.removeLineBreaks()
            parameters.append(RawParameter(name: octets.string(name), value: content))
        }
        return parameters
    }
}

extension [UInt8] {
    fileprivate mutating func removeLineBreaks() {
        guard contains(where: { $0.isLineBreak || $0 == ASCII.nul }) else { return }
        removeAll { $0.isLineBreak || $0 == ASCII.nul }
    }
}

extension Part {
    /// `Content-Type` with its parameters as they stand; the implied type without a field that can be read.
    package var rawContentType: RawStructuredValue {
        let field = record.typeField
        guard field >= 0 else {
            let implied: ContentTypeField = record.isInDigest ? .messageRFC822 : .textPlain
            return RawStructuredValue(
                name: implied.type, subname: implied.subtype, parameters: [])
        }
        var value = octets.withUnsafeBytes {
            RawStructuredValue.read(
                table.fields[Int(field)].value(in: $0), allowsSlash: true, limits: table.limits)
        }
        // What is odd is read as it is everywhere else.
        if value.name.isEmpty || value.subname.isEmpty || value.subname == "text" {
            let type = contentType
            (value.name, value.subname) = (type.type, type.subtype)
        }
        return value
    }

    /// `Content-Disposition` with its parameters as they stand; `nil` without a field that says anything.
    package var rawDisposition: RawStructuredValue? {
        let field = record.dispositionField
        guard field >= 0 else { return nil }
        var value = octets.withUnsafeBytes {
            RawStructuredValue.read(
                table.fields[Int(field)].value(in: $0), allowsSlash: false, limits: table.limits)
        }
        if value.name.isEmpty {
            guard !value.parameters.isEmpty else { return nil }
            value.name = ContentDispositionField.Kind.attachment.name
        }
        return value
    }

    /// Which octets the part's ranges are of: 0 for the message's own, others for those of decoded containers.
    package var sourceIndex: Int { Int(record.source) }
}

extension PartHeader.Field {
    /// The value unfolded, else as it stands: encoded words, raw octets. No line end, NUL, or white space at its ends.
    package var unfoldedValue: [UInt8] {
        withRawValue { value in
            var value = value[...]
            while let last = value.last, last.isFoldingSpace || last == ASCII.nul {
                value.removeLast()
            }
            value = value.drop { $0.isFoldingSpace || $0 == ASCII.nul }
            var octets: [UInt8] = []
            octets.reserveCapacity(value.count)
            for index in value.indices {
                let octet = value[index]
                if octet.isLineBreak {
                    // The last is no line break: there is a next one.
                    let next = value[index + 1]
                    if !next.isFoldingSpace, octets.last.map(\.isBlank) != true {
                        octets.append(ASCII.space)
                    }
                } else {
                    octets.append(octet == ASCII.nul ? ASCII.space : octet)
                }
            }
            return octets
        }
    }

    /// Calls `body` with the value as it stands, folded, with its last line end.
    package func withValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withRawValue(body)
    }
}
