public import MartletBytes
public import MartletMIME

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Appends messages to an mbox.
///
///     var writer = try MboxWriter(path: "archive.mbox")
///     try await writer.append(message, sender: "jane@example.org", date: date)
///     try writer.close()
///
/// The mbox is locked from the start until `close()` or until the writer goes away. A message that cannot
/// be written whole is taken away again, so that the file holds whole messages; only a crash in the middle,
/// or a file that cannot be shortened, can leave the start of one behind. What is there already is never
/// touched, but for the empty line that its last message may lack.
///
/// Octets come back as they were written, with two exceptions: a message that does not end with a line end
/// gets one (not in the variants with Content-Length), and line ends become LF unless told otherwise. In
/// these variants, Content-Length fields of the message are replaced by the right one.
public struct MboxWriter: ~Copyable {
    /// What becomes of CRLF.
    public enum LineEnds: Sendable {
        /// LF, as programs on Unix expect it.
        case lf
        /// What it is. The separators end with LF even so.
        case unchanged
    }

    private static let pieceInOctets = 256 * 1024

    private let path: String
    private let variant: MboxVariant
    private let lineEnds: LineEnds
    private let descriptor: FileDescriptor
    private let lock: MboxLock
    private var sizeInOctets: Int

    /// Opens an mbox, or makes one, and locks it.
    ///
    /// - Parameters:
    ///   - path: a regular file; a symbolic link is followed.
    ///   - variant: must be that of the messages already there (`MboxReader.variant`).
    ///   - lineEnds: LF unless told.
    ///   - mode: the permissions of a new file, less the umask.
    ///   - wait: how long to wait for another program's lock; the thread sleeps meanwhile.
    /// - Throws: `FileError`: `.locked`, `.unexpectedContent` if the file is no mbox, or what the
    ///   system says.
    public init(
        path: String, variant: MboxVariant = .mboxrd, lineEnds: LineEnds = .lf,
        mode: UInt16 = 0o600, waiting wait: Duration = .seconds(30)
    ) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .open)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let number = open(path, flags, mode_t(mode))
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        let descriptor = FileDescriptor(taking: number)
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw FileError(operation: .open, path: path, code: errno)
        }
        let type = FileType(mode: status.st_mode)
        guard type == .regular else {
            throw FileError(kind: .notARegularFile(type), operation: .open, path: path)
        }
        let lock = try MboxLock(descriptor, path: path, for: .writing, waiting: wait)
        // Whoever had the lock may have written, or put another file in its place.
        var named = stat()
        guard fstat(number, &status) == 0, stat(path, &named) == 0 else {
            throw FileError(operation: .open, path: path, code: errno)
        }
        guard named.st_ino == status.st_ino, named.st_dev == status.st_dev else {
            throw FileError(kind: .locked, operation: .lock, path: path)
        }
        if status.st_size > 0 { try Self.check(number, path: path) }
        self.path = path
        self.variant = variant
        self.lineEnds = lineEnds
        self.descriptor = descriptor
        self.lock = lock
        sizeInOctets = Int(status.st_size)
    }

    /// Refuses a file that is no mbox: it is somebody's, and would not be one afterwards.
    private static func check(_ number: Int32, path: String) throws(FileError) {
        let start = try FileDescriptor.read(number, atMost: 1_024, at: 0, path: path)
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
        let first = text.drop { $0 == ASCII.lf || $0 == ASCII.cr }
        guard first.isEmpty || first.starts(with: Array("From ".utf8)) else {
            throw FileError(
                kind: .unexpectedContent(expected: "an mbox"), operation: .open, path: path)
        }
    }

    /// Appends a message.
    ///
    /// - Parameters:
    ///   - message: read once, or twice in the variants with Content-Length.
    ///   - sender: the envelope sender (Return-Path), without angle brackets; `nil` or empty becomes
    ///     `MAILER-DAEMON`. Blanks and control characters in it become `-`.
    ///   - date: when it was delivered; written in UTC (RFC 4155).
    /// - Throws: `FileError`, or what the message's reader throws; the mbox is then as before, unless the
    ///     system cannot even shorten the file: the start of the message is then left in it.
    public mutating func append(
        _ message: any OctetSource, sender: String?, date: MailDate
    ) async throws {
        let start = sizeInOctets
        do {
            let length = variant.hasContentLength ? try await bodyLength(of: message) : nil
            var output = try missingLineEnds()
            output += MboxSeparatorLine.octets(sender: sender, date: date)
            try await write(message, bodyLength: length, behind: output)
        } catch {
            if ftruncate(descriptor.number, off_t(start)) == 0 { sizeInOctets = start }
            throw error
        }
    }

    /// Forces what was written to the disk and gives the lock up.
    ///
    /// - Throws: `FileError`: the messages may not last then.
    public consuming func close() throws(FileError) {
        guard fsync(descriptor.number) == 0 else {
            throw FileError(operation: .write, path: path, code: errno)
        }
    }

    /// The line ends that the last message lacks.
    private func missingLineEnds() throws(FileError) -> [UInt8] {
        guard sizeInOctets > 0 else { return [] }
        let from = max(0, sizeInOctets - 3)
        let end = try FileDescriptor.read(descriptor.number, atMost: 3, at: from, path: path)
        guard end.last == ASCII.lf else { return [ASCII.lf, ASCII.lf] }
        let isEmptyLine = end.suffix(2).first == ASCII.lf || end == [ASCII.lf, ASCII.cr, ASCII.lf]
        return isEmptyLine ? [] : [ASCII.lf]
    }

    private mutating func put(_ octets: inout [UInt8]) throws(FileError) {
        try FileDescriptor.write(octets, to: descriptor.number, path: path)
        sizeInOctets += octets.count
        octets.removeAll(keepingCapacity: true)
    }

    /// The octets that the body will have in the file.
    private func bodyLength(of message: any OctetSource) async throws -> Int {
        var encoding = MboxMessageEncoding(variant: variant, lineEnds: lineEnds, bodyLength: 0)
        var output: [UInt8] = []
        try await message.forEachPiece(atMost: Self.pieceInOctets) { piece in
            encoding.add(piece, to: &output)
            output.removeAll(keepingCapacity: true)
        }
        encoding.finish(into: &output)
        return encoding.bodySizeInOctets
    }

    private mutating func write(
        _ message: any OctetSource, bodyLength: Int?, behind start: [UInt8]
    ) async throws {
        var encoding = MboxMessageEncoding(
            variant: variant, lineEnds: lineEnds, bodyLength: bodyLength)
        var output = start
        try await message.forEachPiece(atMost: Self.pieceInOctets) { piece in
            encoding.add(piece, to: &output)
            if output.count >= Self.pieceInOctets { try put(&output) }
        }
        encoding.finish(into: &output)
        if !encoding.endsLine { output.append(ASCII.lf) }
        output.append(ASCII.lf)
        try put(&output)
    }
}

extension MboxSeparatorLine {
    /// The line as it is written, with its line end: `From jane@example.org Thu Feb  8 18:49:08 1996`.
    static func octets(sender: String?, date: MailDate) -> [UInt8] {
        let text = sender.flatMap { $0.isEmpty ? nil : $0 } ?? "MAILER-DAEMON"
        let word = text.utf8.map { $0 <= ASCII.space || $0 == ASCII.del ? ASCII.hyphen : $0 }
        // `Thu, 8 Feb 1996 18:49:08 +0000`
        let utc = MailDate(secondsSinceEpoch: date.secondsSinceEpoch).text
            .split(separator: " ")
        let day = utc[1].utf8.count < 2 ? " " + utc[1] : utc[1]
        let time = "\(utc[0].dropLast()) \(utc[2]) \(day) \(utc[4]) \(utc[3])"
        return Array("From ".utf8) + word.prefix(512) + Array(" \(time)\n".utf8)
    }
}
