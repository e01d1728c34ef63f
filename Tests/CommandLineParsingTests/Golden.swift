import MartletFiles
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Compares a text with the file of that name in Goldens; `UPDATE_GOLDENS=1` writes it instead.
func expectGolden(
    _ text: String, _ name: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Goldens/\(name)"
    if getenv("UPDATE_GOLDENS") != nil {
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
    }
    let golden = String(
        decoding: try WholeFile.read(path, limitInOctets: 1 << 20), as: UTF8.self)
    #expect(text == golden, "\(name) differs", sourceLocation: sourceLocation)
}
