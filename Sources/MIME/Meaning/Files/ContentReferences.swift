import MartletBytes

/// Finds the parts that an HTML text means with its URLs: `cid:` and `mid:` (RFC 2392), and Content-Location (RFC 2557).
///
///     let references = ContentReferences(in: message.root)
///     references.part("cid:logo@example.org", from: html)
///
/// Only parts of the same message are found: a message inside of it has references of its own. URLs longer than
/// `MIMELimits.urlSizeInOctets`, also once they are resolved, name nothing.
public struct ContentReferences: Sendable {
    private let table: PartTable
    private var byID: [String: [Int]] = [:]
    private var byLocation: [String: [Int]] = [:]
    private var byMessageID: [String: Int] = [:]
    // The base of each part that has one of its own, or the next above it.
    private var bases: [Int: String] = [:]
    private let root: Int

    /// Collects what the parts of a message are called; of a `message/rfc822` part give its child.
    public init(in root: Part) {
        table = root.table
        self.root = root.index
        collect(root)
    }

    /// The part that a URL names; `nil` if there is none in the message, as for every URL of the web.
    ///
    /// - Parameter part: the text in which the URL stands. Where several parts have one name, one is taken that is in
    ///   the same multipart, and relative URLs are resolved as seen from there.
    public func part(_ url: String, from part: Part? = nil) -> Part? {
        let url = url.trimmedOfSpace
        guard url.utf8.count <= table.limits.urlSizeInOctets else { return nil }
        if let id = url.behindScheme("cid") {
            return self.part(contentID: id.percentDecoded, from: part)
        }
        if let path = url.behindScheme("mid") { return self.part(mid: path, from: part) }
        // `#top` is a place in the text itself.
        guard let base = part.flatMap({ bases[$0.index] }) ?? bases[root],
            let first = url.utf8.first, first != UInt8(ascii: "#")
        else { return nil }
        let resolved = URLReference.resolve(url, against: base).percentDecoded
        // Programs name the text by an absolute URL, and what belongs to it by relative ones as the text does.
        guard let found = byLocation[resolved] ?? byLocation[url.percentDecoded] else { return nil }
        return best(found, from: part)
    }

    /// The part with that `Content-ID`, given without angle brackets.
    public func part(contentID: String, from part: Part? = nil) -> Part? {
        let id = contentID.withoutBrackets
        guard let found = byID[id] ?? byID[id.lowercased()] else { return nil }
        return best(found, from: part)
    }

    /// `mid:message-id/content-id`, or `mid:message-id` for all of the message.
    private func part(mid path: String, from part: Part?) -> Part? {
        let pieces = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let messageID = pieces.first.map({ String($0).percentDecoded.withoutBrackets }),
            let message = byMessageID[messageID]
        else { return nil }
        guard pieces.count == 2 else { return Part(table: table, index: message) }
        return self.part(contentID: String(pieces[1]).percentDecoded, from: part)
    }

    // MARK: Collecting

    private mutating func collect(_ root: Part) {
        if let id = root.messageID?.text { byMessageID[id] = root.index }
        for part in root.partsOfMessage { name(part, isRoot: part.index == root.index) }
    }

    private mutating func name(_ part: Part, isRoot: Bool) {
        if let id = part.contentID?.text {
            byID[id, default: []].append(part.index)
            let folded = id.lowercased()
            if folded != id { byID[folded, default: []].append(part.index) }
        }
        // URLs in a message without any base are of the message itself, RFC 2557 §5.
        let outer =
            isRoot ? "thismessage:/" : part.parent.flatMap { bases[$0.index] } ?? "thismessage:/"
        var base = outer
        if let value = url("Content-Base", of: part),
            let resolved = resolve(value, against: outer)
        {
            base = resolved
        }
        if let value = url("Content-Location", of: part),
            let location = resolve(value, against: base)
        {
            byLocation[location.percentDecoded, default: []].append(part.index)
            if value != location {
                byLocation[value.percentDecoded, default: []].append(part.index)
            }
            base = location
        }
        bases[part.index] = base
    }

    private func url(_ name: String, of part: Part) -> String? {
        part.header[name].flatMap {
            ContentLocation.parse($0.rawValue[...], limits: table.limits).value
        }
    }

    /// `nil` if the URL or what it comes to is too long: many short ones against a long base would take far more memory
    /// than the message.
    private func resolve(_ url: String, against base: String) -> String? {
        let limit = table.limits.urlSizeInOctets
        guard url.utf8.count <= limit else { return nil }
        let resolved = URLReference.resolve(url, against: base)
        return resolved.utf8.count <= limit ? resolved : nil
    }

    /// The first that is in the same multipart as `part`, or else above it, or the first of all.
    private func best(_ found: [Int], from part: Part?) -> Part? {
        // Names that many parts share are not worth a search.
        let candidates = found.prefix(16).map { Part(table: table, index: $0) }
        if candidates.count > 1, let part {
            var ancestor = part.parent
            while let current = ancestor, current.kind == .multipart {
                if current.contentType.subtype == "related",
                    let inside = candidates.first(where: { $0.isInside(current) })
                {
                    return inside
                }
                ancestor = current.parent
            }
        }
        return candidates.first
    }
}

extension Part {
    fileprivate func isInside(_ other: Part) -> Bool {
        var ancestor = parent
        while let current = ancestor, current.depth >= other.depth {
            if current.index == other.index { return true }
            ancestor = current.parent
        }
        return false
    }
}
