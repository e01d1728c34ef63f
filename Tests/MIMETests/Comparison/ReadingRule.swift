import MartletBytes
import MartletTestSupport

@testable import MartletMIME

/// Why another program reads something otherwise, and when that is so.
struct ReadingRule: Sendable {
    /// As in `Differences.md`.
    let reason: String
    let explains: @Sendable (Disagreement) -> Bool
}

extension ReadingRule {
    /// What both CPython and GMime do.
    static let common: [ReadingRule] = [
        ReadingRule(reason: "they keep blanks at the ends of lines in quoted-printable") { found in
            guard found.isBody, found.part?.transferEncoding == .quotedPrintable else {
                return false
            }
            return withoutBlanks(found.bodies.ours) == withoutBlanks(found.bodies.theirs)
        },
        ReadingRule(reason: "they do not decode where more than a token says how") { found in
            guard found.isBody, let part = found.part, !part.transferEncoding.isIdentity else {
                return false
            }
            return part.withRawBody { $0.elementsEqual(found.bodies.theirs) }
        },
        ReadingRule(reason: "base64 is damaged") { found in
            found.isBody && found.part?.transferEncoding == .base64
                && found.has(.invalidBase64)
        },
        ReadingRule(reason: "a type is none") { found in
            found.isStructure && found.ours.count >= found.theirs.count
                && found.message.parts.contains { $0.hasDefect(.invalidContentType) }
        },
        ReadingRule(reason: "they take no header behind a byte order mark") { found in
            found.message.defects.contains { $0.kind == .byteOrderMark }
        },
        ReadingRule(reason: "an attached message is encoded") { found in
            found.isStructure && found.message.parts.contains { $0.isInEncodedContainer }
        },
        ReadingRule(reason: "a part between two delimiters is empty") { found in
            let parts = found.message.parts.filter { !$0.range.isEmpty }
            return found.isStructure && parts.map(\.contentType.description) == found.theirs
        },
        ReadingRule(reason: "words are behind a delimiter") { found in
            found.isStructure && found.message.parts.contains { $0.hasDefect(.junkAfterBoundary) }
        },
        ReadingRule(reason: "the boundary is not told, or empty") { found in
            found.isStructure
                && found.message.parts.contains { $0.hasDefect(.missingBoundaryParameter) }
        },
        ReadingRule(reason: "the boundary is another than is told") { found in
            found.isStructure
                && found.message.parts.contains {
                    $0.kind == .multipart && $0.record.firstChild >= 0
                        && $0.hasDefect(.missingOpeningBoundary)
                }
        },
        ReadingRule(reason: "an address without a domain is no address") { found in
            guard let people = found.people, found.theirAddresses.contains(where: isLocal) else {
                return false
            }
            let theirs = zip(found.theirAddresses, found.theirNames).filter { !isLocal($0.0) }
            return people.addresses == theirs.map(\.0)
                && zip(people.names, theirs.map(\.1)).allSatisfy { $0 == $1 || $1.isEmpty }
        },
        ReadingRule(reason: "the list of addresses is damaged") { found in
            found.people?.isDamaged == true
        },
        ReadingRule(reason: "the zone has a name beyond those of RFC 5322") { found in
            guard found.aspect == .date, let ours = found.ours.first.flatMap(Int.init),
                let theirs = found.theirs.first.flatMap(Int.init)
            else { return false }
            return abs(ours - theirs) <= 14 * 3_600 && (ours - theirs) % 3_600 == 0
        },
        ReadingRule(reason: "they keep the tab of a fold") { found in
            found.aspect == .subject
                && found.theirs.map { $0.replacing("\t", with: " ") } == found.ours
        },
    ]

    /// What CPython does.
    static let python: [ReadingRule] = [
        ReadingRule(reason: "it throws") { found in
            found.aspect == .failure || (found.people != nil && found.failure(of: found.field))
        },
        ReadingRule(reason: "it ends the header at a line that is no field") { found in
            let isOdd = { (part: Part) in
                part.hasDefect(.junkHeaderLine) || part.hasSpaceBeforeColon
                    || part.hasDefect(.missingHeaderEnd)
            }
            let all = found.isStructure ? Array(found.message.parts) : [found.message.root]
            return (found.part.map { [$0] } ?? all).contains(where: isOdd)
        },
        ReadingRule(reason: "it takes no comment for a name") { found in
            guard let people = found.people, people.hasComment else { return false }
            return people.addresses == found.theirAddresses
                && zip(people.names, found.theirNames).allSatisfy { $0 == $1 || $1.isEmpty }
        },
        ReadingRule(reason: "it keeps blanks at the ends of a subject") { found in
            found.aspect == .subject && found.theirs.map(trimmed) == found.ours
        },
        ReadingRule(
            reason: "it has U+FFFD for octets that are no UTF-8, and in charsets it does not know"
        ) { found in
            found.aspect == .subject && found.theirs.contains { $0.contains("\u{FFFD}") }
        },
        ReadingRule(reason: "it takes the line end off a part that is not closed") { found in
            guard found.isBody, found.bodies.ours.starts(with: found.bodies.theirs) else {
                return false
            }
            let rest = found.bodies.ours.dropFirst(found.bodies.theirs.count)
            return rest == [10] || rest == [13, 10]
        },
    ]

    /// What GMime does.
    static let gmime: [ReadingRule] = [
        ReadingRule(reason: "it reads no message without a header") { found in
            found.reading.values[.failure] != nil
        },
        ReadingRule(reason: "it loses words behind a padded one") { found in
            guard found.aspect == .subject, let raw = found.message.header["Subject"]?.rawValue,
                let ours = found.ours.first, let theirs = found.theirs.first
            else { return false }
            return text(raw).contains("=?=") && theirs.utf8.count < ours.utf8.count
        },
        ReadingRule(reason: "it takes what has no empty line in front for a header") { found in
            found.isBody && found.bodies.theirs.isEmpty && found.has(.missingHeaderEnd)
        },
    ]
}

private func isLocal(_ address: String) -> Bool { !address.contains("@") }

private func trimmed(_ text: String) -> String {
    let text = text.drop { $0 == " " }
    return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
}

/// Without blanks before line ends and at the end.
private func withoutBlanks(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    func trim() {
        while let last = result.last, last.isBlank || last == ASCII.cr { result.removeLast() }
    }
    for octet in octets {
        if octet == ASCII.lf { trim() }
        result.append(octet)
    }
    trim()
    return result
}
