import MartletBytes
import MartletTestSupport

@testable import MartletSignatures

/// Adds ARC sets to a message by hand, so that each of their tags can be wrong. RFC 8617 §5.1.
struct HandMadeChain {
    var message = crlf("From: a@example.org\nTo: list@example.com\nSubject: s\n\nHi.\n")
    var key = Keys.ed25519
    private(set) var count = 0

    /// What is to be different in a set.
    struct Change {
        var instance: String?
        var validation: String?
        var signedFields = "from:to:subject"
        var signatureTags = ""
        var sealTags = ""
        var without: ARCChain.Kind?
        var twice: ARCChain.Kind?
    }

    init(sets: Int = 0) throws {
        for _ in 0..<sets { try add() }
    }

    /// Puts a set on top.
    mutating func add(_ change: Change = Change()) throws {
        count += 1
        let instance = change.instance ?? String(count)
        let validation = change.validation ?? (count == 1 ? "none" : "pass")
        let body = message[(message.firstRange(of: Array("\r\n\r\n".utf8))!.upperBound)...]
        let hash = text(Base64.encode(SHA256.digest(of: Array(body))))
        let results = crlf(
            "ARC-Authentication-Results: i=\(instance); mx\(count).example.com;\n dkim=pass  (x)\n")
        var signature = Array(
            "ARC-Message-Signature: i=\(instance); a=ed25519-sha256; c=relaxed/relaxed; d=mx\(count).example.com; s=ed; \(change.signatureTags)h=\(change.signedFields); bh=\(hash); b="
                .utf8)
        signature +=
            Base64.encode(try digest(signing: signature, names: change.signedFields))
            + Array("\r\n".utf8)
        var seal = Array(
            "ARC-Seal: i=\(instance); a=ed25519-sha256; cv=\(validation); d=mx\(count).example.com; s=ed; \(change.sealTags)b="
                .utf8)
        seal += Base64.encode(try sealing(results + signature + seal)) + Array("\r\n".utf8)
        var fields: [UInt8] = []
        for (kind, field) in [
            (ARCChain.Kind.seal, seal), (.messageSignature, signature),
            (.authenticationResults, results),
        ] {
            if change.without != kind { fields += field }
            if change.twice == kind { fields += field }
        }
        message = fields + message
    }

    private func digest(signing field: [UInt8], names: String) throws -> [UInt8] {
        let section = HeaderSection(field + Array("\r\n".utf8) + message, fieldLimit: 1_000)
        let canonicalizer = HeaderCanonicalizer(canonicalization: .relaxed)
        var canonical: [UInt8] = []
        let names = names.split(separator: ":").map { $0.utf8.map(\.lowercased) }
        for field in FieldSelection(section).fields(names, except: 0) {
            canonicalizer.append(field, of: section, to: &canonical)
        }
        canonicalizer.append(section.fields[0], of: section.octets, without: nil, to: &canonical)
        return try key.sign(SHA256.digest(of: canonical))
    }

    /// The signature over all sets, the newest of which is `newest`.
    private func sealing(_ newest: [UInt8]) throws -> [UInt8] {
        let section = HeaderSection(newest + Array("\r\n".utf8) + message, fieldLimit: 1_000)
        let canonicalizer = HeaderCanonicalizer(canonicalization: .relaxed)
        // On top is the newest set: its three fields in the order they are sealed in, then seal, signature, results.
        let arc = section.fields.filter { $0.name.starts(with: "arc-".utf8) }
        var canonical: [UInt8] = []
        for start in stride(from: arc.count - 3, to: 0, by: -3) {
            for field in [arc[start + 2], arc[start + 1], arc[start]] {
                canonicalizer.append(field, of: section, to: &canonical)
            }
        }
        canonicalizer.append(arc[0], of: section, to: &canonical)
        canonicalizer.append(arc[1], of: section, to: &canonical)
        canonicalizer.append(arc[2], of: section.octets, without: nil, to: &canonical)
        return try key.sign(SHA256.digest(of: canonical))
    }

    /// - Parameter flags: tags of all key records.
    func result(keyFlags flags: String = "") async -> ARCResult {
        await ARCVerifier { selector, domain in
            try await Keys.lookUp(selector, domain).map { $0 + flags.utf8 }
        }.verify(Octets(message))
    }
}
