import MartletBytes

/// Reads `; name=value` as often as it comes, whatever is broken in it. RFC 2045 §5.1, RFC 2231.
struct ParameterReader {
    private let limits: MIMELimits
    private(set) var defects: [Defect] = []
    /// The octets of the parameter `boundary`, unquoted: boundaries are octets, not text.
    private(set) var boundary: [UInt8]?

    private var parameters: [HeaderParameters.Parameter] = []
    /// Where a name is in `parameters`; only kept where there are many.
    private var indexByName: [String: Int] = [:]
    private var sections: [ParameterSection] = []
    private var count = 0

    init(limits: MIMELimits) { self.limits = limits }

    /// The parameters that were read, and what was odd in them.
    mutating func finish() -> HeaderParameters {
        if !sections.isEmpty { joinSections() }
        return HeaderParameters(parameters)
    }

    // MARK: Reading

    /// Reads the parameters in `range`, with or without a semicolon in front.
    mutating func read(_ range: Range<Int>, of octets: Span<UInt8>) {
        var cursor = ParameterCursor(index: range.lowerBound, end: range.upperBound)
        var hasJunk = false
        while cursor.skipToName(in: octets) {
            let start = cursor.index
            guard let name = cursor.name(in: octets) else {
                // Said once for all: there may be half as many as octets.
                if !hasJunk { defects.append(Defect(.invalidParameter, at: start)) }
                hasJunk = true
                continue
            }
            guard count < limits.parameterCount else {
                defects.append(Defect(.limitReached, at: start, limit: "parameterCount"))
                return
            }
            count += 1
            let value = cursor.value(in: octets)
            if !value.isClosed { defects.append(Defect(.unclosedQuote, at: value.start)) }
            if value.isOdd { defects.append(Defect(.invalidParameter, at: value.start)) }
            if let section = ParameterSection(name: name, value: value, in: octets)
                ?? ParameterSection(name: name, withoutStar: value, in: octets)
            {
                if !section.hasStar { defects.append(Defect(.invalidParameter, at: start)) }
                sections.append(section)
            } else if value.range.isEmpty, !value.isQuoted {
                defects.append(Defect(.invalidParameter, at: start))
            } else {
                plain(octets.lowercasedName(name), value, in: octets, start: start)
            }
        }
        if cursor.hasUnclosedComment {
            defects.append(Defect(.unclosedComment, at: cursor.commentsEnd))
        }
    }

    private mutating func plain(
        _ name: String, _ value: ParameterCursor.Value, in octets: Span<UInt8>, start: Int
    ) {
        guard index(of: name) == nil else {
            defects.append(Defect(.repeatedParameter, at: start))
            return
        }
        var value = value
        if !value.isQuoted, name == "filename" || name == "name" {
            value.removeApostrophes(in: octets)
        }
        if name == "boundary" {
            boundary = withoutLineBreaks(value.gathered ?? octets.array(value.range))
        }
        let text: String
        if value.gathered == nil, octets.isPlainText(value.range) {
            text = octets.string(value.range)
        } else {
            var builder = HeaderTextBuilder(limits: limits, expectedSize: value.range.count)
            if let gathered = value.gathered {
                builder.text(0..<gathered.count, of: gathered.span, offset: value.range.lowerBound)
            } else {
                builder.text(value.range, of: octets)
            }
            let parsed = builder.finish()
            defects += parsed.defects
            text = parsed.value
        }
        add(HeaderParameters.Parameter(name: name, value: text))
    }

    // MARK: Names

    private static let fewParameters = 16

    private func index(of name: String) -> Int? {
        guard parameters.count > Self.fewParameters else {
            return parameters.firstIndex { $0.name == name }
        }
        return indexByName[name]
    }

    private mutating func add(_ parameter: HeaderParameters.Parameter) {
        if parameters.isEmpty { parameters.reserveCapacity(3) }
        parameters.append(parameter)
        if parameters.count == Self.fewParameters + 1 {
            for (index, other) in parameters.enumerated() {
                indexByName[other.name] = index
            }
        } else if parameters.count > Self.fewParameters {
            indexByName[parameter.name] = parameters.count - 1
        }
    }

    // MARK: Sections

    /// Puts the sections of each name together. They win over a plain parameter of the same name, which
    /// is there for programs that do not know RFC 2231.
    private mutating func joinSections() {
        var groups: [[ParameterSection]] = []
        var groupByName: [String: Int] = [:]
        for section in sections {
            if groups.last?.first?.name == section.name {
                groups[groups.count - 1].append(section)
            } else if let group = groupByName[section.name] {
                groups[group].append(section)
            } else {
                groupByName[section.name] = groups.count
                groups.append([section])
            }
        }
        for group in groups {
            let joined = JoinedSections(group, limits: limits)
            defects += joined.defects
            let parameter = HeaderParameters.Parameter(
                name: group[0].name, value: joined.value, language: joined.language)
            if parameter.name == "boundary", !joined.octets.isEmpty {
                boundary = withoutLineBreaks(joined.octets)
            }
            if let index = index(of: parameter.name) {
                // One without a value says nothing.
                if !parameter.value.isEmpty { parameters[index] = parameter }
            } else {
                add(parameter)
            }
        }
    }

    private func withoutLineBreaks(_ octets: [UInt8]) -> [UInt8] {
        octets.contains(where: \.isLineBreak) ? octets.filter { !$0.isLineBreak } : octets
    }
}

extension Span<UInt8> {
    /// The octets of `range`.
    func array(_ range: Range<Int>) -> [UInt8] {
        extracting(range).withUnsafeBufferPointer { [UInt8]($0) }
    }

    /// The octets of `range` in lower case, as a name.
    func lowercasedName(_ range: Range<Int>) -> String {
        var isOdd = false
        var isLowercase = true
        for index in range {
            let octet = self[index]
            if octet &- 0x21 >= 0x5E { isOdd = true }
            if octet &- 0x41 < 26 { isLowercase = false }
        }
        if isOdd {
            return HeaderText.decode(extracting(range), limits: .standard).value.lowercased()
        }
        if isLowercase { return string(range) }
        var name = array(range)
        for index in name.indices { name[index] = name[index].lowercased }
        return String(decoding: name, as: UTF8.self)
    }
}
