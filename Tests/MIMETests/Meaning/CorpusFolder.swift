import Foundation

/// Other programs' test data, in the folder that the environment variable `MARTLET_CORPUS` names.
enum CorpusFolder {
    static func octets(_ path: String) -> [UInt8]? {
        guard let folder = ProcessInfo.processInfo.environment["MARTLET_CORPUS"] else { return nil }
        let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
        return (try? Data(contentsOf: url)).map(Array.init)
    }

    /// The names in a folder, sorted; empty without it.
    static func names(_ path: String) -> [String] {
        guard let folder = ProcessInfo.processInfo.environment["MARTLET_CORPUS"] else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + path)
        return (names ?? []).sorted()
    }
}
