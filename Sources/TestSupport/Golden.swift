import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Compares a text with the file `name` in the folder Goldens beside the test; `UPDATE_GOLDENS=1` writes it instead.
public func expectGolden(
    _ text: String, _ name: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Goldens/\(name)"
    if getenv("UPDATE_GOLDENS") != nil { try write(Array(text.utf8), toFile: path) }
    let golden = String(decoding: try octets(ofFile: path), as: UTF8.self)
    #expect(text == golden, "\(name) differs", sourceLocation: sourceLocation)
}
