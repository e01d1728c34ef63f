public import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The octets of a file where the system keeps them, without a copy: `Octets(try MappedFile(path: path))`.
///
/// The mapping is private and read-only, lasts as long as any copy of the `Octets`, and stays the same
/// file when its name goes. The size is that of the moment of opening: what is appended later is not seen.
///
/// Only files that nobody rewrites in place should be opened so: messages of a Maildir, files of an own
/// store, files a person picked. Two things cannot be kept from a mapping by any program: a change of the
/// file may be seen in it, and *when the file is cut while it is mapped, touching what is gone ends the
/// process with SIGBUS*. Therefore files below `mappingThresholdInOctets`, which most messages are, are
/// read into memory instead and cannot do either. For a file that others cut or rewrite, such as an mbox,
/// use `MboxReader(path:)`, `FileSource` or `WholeFile`, which report `FileError.Kind.shrank` or what they
/// got. A pipe, such as a shell's `<(command)`, is read to its end into memory; folders, devices and
/// sockets are refused.
public final class MappedFile: OctetOwner {
    /// Files with fewer octets are read, not mapped: 1 MiB. Up to there a read is faster than a mapping,
    /// three times so at 16 KiB.
    public static let mappingThresholdInOctets = 1 << 20
    /// The limit where a caller names none: 1 GiB, more than any mail server takes.
    public static let defaultLimitInOctets = 1 << 30

    private enum Storage {
        case array([UInt8])
        case mapping(UnsafeRawBufferPointer)
    }

    // The mapping is read-only, made before and unmapped after all use, so that any thread may read it;
    // a pointer has no type that says so.
    nonisolated(unsafe) private let storage: Storage

    /// The number of octets. Never changes.
    public let count: Int

    /// Opens a file and maps or reads it.
    ///
    /// - Parameters:
    ///   - path: a regular file or a pipe.
    ///   - limit: the most octets it may hold; a larger file is refused before it is touched, a longer
    ///     pipe is left there.
    /// - Throws: `FileError` naming the path and the reason: `.tooLarge`, `.notARegularFile`, `.notFound`
    ///   and others. Its `recovery` says what to do.
    public convenience init(
        path: String, limitInOctets limit: Int = defaultLimitInOctets
    ) throws(FileError) {
        let (descriptor, size) = try FileDescriptor.opened(path) { $0 == .regular || $0 == .pipe }
        try self.init(descriptor, sizeInOctets: size, limitInOctets: limit, path: path)
    }

    /// Maps or reads an open file, at its start.
    init(
        _ descriptor: FileDescriptor, sizeInOctets size: Int, limitInOctets limit: Int, path: String
    ) throws(FileError) {
        guard size <= limit else {
            throw FileError(kind: .tooLarge(limitInOctets: limit), operation: .read, path: path)
        }
        if size >= Self.mappingThresholdInOctets,
            let mapping = Self.mapping(of: descriptor.number, sizeInOctets: size)
        {
            storage = .mapping(mapping)
            count = size
        } else {
            // Also where the file system cannot map.
            let octets = try FileDescriptor.readToEnd(
                descriptor.number, expecting: size, limitInOctets: limit, path: path)
            storage = .array(octets)
            count = octets.count
        }
    }

    deinit {
        guard case .mapping(let mapping) = storage else { return }
        munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress!), mapping.count)
    }

    /// Whether the octets are in a mapping, not in an array.
    public var isMapped: Bool {
        if case .mapping = storage { true } else { false }
    }

    /// Calls `body` with the octets. The pointer must not leave it.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .array(let octets): try octets.span.withUnsafeBytes(body)
        case .mapping(let mapping): try body(mapping)
        }
    }

    private static func mapping(
        of number: Int32, sizeInOctets size: Int
    ) -> UnsafeRawBufferPointer? {
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, number, 0), start != MAP_FAILED
        else { return nil }
        // Advice only: mail is read from its start to its end.
        _ = madvise(start, size, MADV_SEQUENTIAL)
        return UnsafeRawBufferPointer(start: start, count: size)
    }
}
