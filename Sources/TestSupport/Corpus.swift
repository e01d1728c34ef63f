public import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Other projects' test data, in the folder that the environment variable `MARTLET_CORPUS` names. It is no part of the
/// repository; tests that need it are skipped without it.
///
///     @Suite("Mbox corpus", .corpus("mimekit/mbox"))
public enum Corpus {
    /// The folder, without a slash at the end; `nil` if there is none.
    public static let folder = getenv("MARTLET_CORPUS").map { String(cString: $0) }

    /// Whether there is a file or folder of that name.
    public static func has(_ path: String) -> Bool {
        folder != nil && access(self.path(path), R_OK) == 0
    }

    /// Where a file of the corpus is.
    public static func path(_ path: String) -> String { (folder ?? "") + "/" + path }

    /// The octets of a file.
    public static func octets(_ path: String) throws(SystemFailure) -> [UInt8] {
        try MartletTestSupport.octets(ofFile: self.path(path))
    }

    /// The names in a folder, sorted.
    public static func names(in path: String) throws(SystemFailure) -> [String] {
        try namesInFolder(self.path(path))
    }

    /// The paths of all files in a folder and those below it, sorted in each folder.
    public static func files(below path: String) throws(SystemFailure) -> [String] {
        var files: [String] = []
        var waiting = [path]
        while let path = waiting.popLast() {
            var status = stat()
            if stat(self.path(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                waiting += try names(in: path).reversed().map { path + "/" + $0 }
            } else {
                files.append(path)
            }
        }
        return files
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where the corpus does not have that file or folder; the test output then says so.
    public static func corpus(_ path: String) -> Self {
        .enabled(if: Corpus.has(path), "MARTLET_CORPUS names no folder with \(path)")
    }
}
