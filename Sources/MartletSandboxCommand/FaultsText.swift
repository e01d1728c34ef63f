import FoundationEssentials
import MartletSandbox

/// Faults as people write them: JSON5, one object or a list of them.
enum FaultsText {
    /// Octets of a file or request with faults, at most.
    static let limitInOctets = 1 << 20

    /// What is wrong with such a text, as a sentence.
    struct Mistake: Error { var words: String }

    static func faults(_ octets: [UInt8]) throws(Mistake) -> [Sandbox.Fault] {
        guard octets.count <= limitInOctets else {
            throw Mistake(words: "Faults have \(limitInOctets) octets at most.")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            let isList = octets.first { !isBlank($0) } == UInt8(ascii: "[")
            return isList
                ? try decoder.decode([Sandbox.Fault].self, from: Data(octets))
                : [try decoder.decode(Sandbox.Fault.self, from: Data(octets))]
        } catch let error as DecodingError {
            throw Mistake(words: words(error))
        } catch {
            throw Mistake(words: "This is no JSON5: \(error).")
        }
    }

    private static func isBlank(_ octet: UInt8) -> Bool { octet <= 0x20 }

    private static func words(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .dataCorrupted(let found), .keyNotFound(_, let found),
            .typeMismatch(_, let found), .valueNotFound(_, let found):
            context = found
        @unknown default: return "\(error)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ", ")
        return path.isEmpty
            ? context.debugDescription : "At \(path): \(context.debugDescription)"
    }

    /// A list of faults as JSON.
    static func json(_ faults: [Sandbox.PlacedFault]) throws -> [UInt8] {
        struct Row: Encodable {
            var id: Int
            var strikes: Int
            var fault: Sandbox.Fault
        }
        let rows = faults.map { Row(id: $0.id, strikes: $0.strikes, fault: $0.fault) }
        return Array(try JSONEncoder().encode(["faults": rows]))
    }
}
