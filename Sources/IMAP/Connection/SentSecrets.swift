import MartletBytes
import MartletIMAPCore

/// What was said of passwords and tokens while a login goes on: a server that does not understand it may say it back, and then it
/// must not stand in logs and errors. Forgotten with the login's end.
struct SentSecrets {
    private var secrets: [[UInt8]] = []

    /// Shorter ones are everywhere.
    private static let shortest = 4

    var isEmpty: Bool { secrets.isEmpty }

    /// Takes note of what is written.
    mutating func note(_ octets: [UInt8], _ ranges: [Range<Int>]) {
        for range in ranges {
            var secret = octets[range]
            // The quotes are no part of it.
            if secret.first == ASCII.quote, secret.last == ASCII.quote {
                secret = secret.dropFirst().dropLast()
            }
            if secret.count >= Self.shortest { secrets.append(Array(secret)) }
        }
    }

    mutating func forget() {
        for index in secrets.indices {
            for place in secrets[index].indices { secrets[index][place] = 0 }
        }
        secrets = []
    }

    /// The octets with what is secret of them as dots.
    func masked(_ octets: [UInt8]) -> [UInt8] {
        var octets = octets
        for secret in secrets {
            var start = 0
            while let place = octets[start...].firstRange(of: secret) {
                octets.replaceSubrange(place, with: Self.mask)
                start = place.lowerBound + Self.mask.count
            }
        }
        return octets
    }

    private static let mask = Array("\u{2022}\u{2022}\u{2022}".utf8)

    /// The words with what is secret of them as dots.
    func masked(_ text: ResponseText) -> ResponseText {
        isEmpty ? text : ResponseText(code: text.code, octets: masked(text.octets))
    }
}
