import MartletCommandLineParsing
import MartletFiles
import MartletIMAP
import MartletMIME

/// Messages or parts on their way to files, or one to standard output.
struct IMAPDownload {
    private let console: Console
    private let client: IMAPClient
    private let folder: String?
    private let overwrites: Bool
    private let isJSON: Bool
    private let marksSeen: Bool
    private let part: PartNumber?
    private let section: MessageSection

    init(_ parsed: ParsedCommand, _ console: Console, _ client: IMAPClient) {
        self.console = console
        self.client = client
        folder = parsed[IMAPFetchOptions.folder]
        overwrites = parsed[IMAPFetchOptions.overwrites]
        isJSON = parsed[IMAPOptions.json]
        marksSeen = parsed[IMAPFetchOptions.marksSeen]
        part = parsed[IMAPFetchOptions.part]
        section =
            if let part { MessageSection(part) } else if parsed[IMAPFetchOptions.header] {
                .header
            } else {
                .message
            }
    }

    /// Fetches them one after the other.
    func run(_ uids: [UID]) async throws -> ExitStatus {
        var fetched = UIDSet()
        for (index, uid) in uids.enumerated() {
            if uids.count > 1 {
                console.show(progress: "Fetching \(index + 1) of \(uids.count)…")
            }
            if let folder {
                try await toFile(uid, in: folder)
            } else {
                try await toOutput(uid)
            }
            if !console.isOutputCutOff { fetched.formUnion(UIDSet(uid)) }
        }
        console.show(progress: "")
        // Only what is safe here is marked.
        if marksSeen, !fetched.isEmpty {
            try await client.store(fetched, .add([.seen]), isSilent: true)
        }
        if !isJSON, folder != nil, console.isWatched {
            console.remark(uids.count == 1 ? "Fetched." : "Fetched \(uids.count) messages.")
        }
        return .success
    }

    private func toOutput(_ uid: UID) async throws {
        let console = console
        try await fetch(uid) { console.output(message: $0) }
    }

    private func toFile(_ uid: UID, in folder: String) async throws {
        let name = part.map { "\(uid)-\($0)" } ?? "\(uid).eml"
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        let file = try FileInProgress(path: path, replaces: overwrites)
        try await fetch(uid) { try file.write($0) }
        let size = try file.commit()
        guard isJSON else { return }
        console.output(
            JSONText.object([
                ("uid", .count(uid.rawValue)), ("file", .string(path)),
                ("sizeInOctets", .integer(size)),
            ]).text)
    }

    // MARK: The octets

    private func fetch(
        _ uid: UID, _ take: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void
    ) async throws {
        guard let part else {
            try await client.download(section, of: uid) { (piece) async throws in try take(piece) }
            return
        }
        let rows = try await client.fetch(UIDSet(uid), [.bodyStructure]).rows
        let structure = rows.lazy.compactMap(\.bodyStructure).first
        if let structure, structure.part(part) == nil {
            throw CommandFailure(
                .badData, "message \(uid) has no part \(part); see --structure.", kind: "noSuchPart"
            )
        }
        try await client.downloadBody(
            of: uid, part, encoding: structure?.part(part)?.transferEncoding
        ) { (piece) async throws in try take(piece) }
    }
}
