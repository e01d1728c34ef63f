import MartletBytes

/// A message that is ready as octets, in memory or in a file, to be sent as it is.
///
/// Only its header section is read here: for the recipients, and to leave out the `Bcc` fields.
public struct RawMessage: Sendable {
    /// The largest header section in octets.
    public static let headerLimitInOctets = HeaderWriter.sectionLimit

    /// The message as it was given.
    public let source: any OctetSource
    /// Who gets the message: the mailboxes of `Resent-To`, `Resent-Cc` and `Resent-Bcc` if somebody resent
    /// it (the newest block of such fields, with `Resent-From` or `Resent-Date`, RFC 5322 §3.6.6), else of `To`, `Cc` and `Bcc`. Each address
    /// once; what is no address is in `damaged`.
    public let recipients: AddressList
    /// Who sends it: the first mailbox of `Resent-Sender`, `Resent-From`, `Sender` or `From`.
    public let originator: MailboxAddress?

    private let headerSize: Int
    private let header: [UInt8]

    /// Reads the header section of `source`.
    ///
    /// - Throws: `CompositionError` when the source cannot be read, or its header section is larger
    ///   than `headerLimitInOctets`.
    public init(_ source: any OctetSource) async throws(CompositionError) {
        let octets = try await Self.readHeader(of: source)
        let fields = HeaderSection(of: octets[...]).fields
        let newest = Self.newestResentBlock(of: fields)

        func mailboxes(of fields: [HeaderSection.Field], named names: [String]) -> AddressList {
            var list = AddressList()
            for name in names {
                for field in fields where field.name.elementsEqual(name.utf8) {
                    list.append(AddressList(recipients: octets[field.value]))
                }
            }
            return list
        }
        let resentNames = ["resent-to", "resent-cc", "resent-bcc"]
        // Whoever resends says so: RFC 5322 §3.6.6 asks for both, one is taken as meant.
        func has(_ names: [String]) -> Bool {
            newest.contains { field in names.contains { field.name.elementsEqual($0.utf8) } }
        }
        let isResent = has(resentNames) && has(["resent-from", "resent-date"])
        var recipients =
            isResent
            ? mailboxes(of: newest, named: resentNames)
            : mailboxes(of: fields, named: ["to", "cc", "bcc"])
        recipients = AddressList(
            entries: recipients.mailboxes.withoutRepeatedAddresses().map { .mailbox($0) }
                + recipients.invalidEntries.map { .invalid($0) })
        self.recipients = recipients
        originator =
            mailboxes(of: newest, named: ["resent-sender", "resent-from"]).mailboxes.first
            ?? mailboxes(of: fields, named: ["sender", "from"]).mailboxes.first
        headerSize = octets.count
        header = Self.withoutBcc(octets, fields: fields)
        self.source = source
    }

    /// The message without its `Bcc` and `Resent-Bcc` fields, and without the line that an mbox has before a message;
    /// everything else octet for octet.
    public func withoutBcc() -> any OctetSource {
        if header.count == headerSize { return source }
        if let octets = source.octetsInMemory {
            return OctetArray(header + octets.dropFirst(headerSize))
        }
        return ReplacedStart(header, instead: headerSize, of: source)
    }

    private static func readHeader(
        of source: any OctetSource
    ) async throws(CompositionError) -> [UInt8] {
        // The empty line may be just behind the limit.
        let readLimit = headerLimitInOctets + 4
        var octets: [UInt8] = []
        var end: Int?
        if let all = source.octetsInMemory {
            octets = [UInt8](all.prefix(readLimit))
            end = HeaderSection.end(in: octets[...], isComplete: all.count <= readLimit)
        } else {
            do {
                var reader = try source.makeReader()
                // Looked at again each time it has doubled: linear in all.
                var pieceLimit = 16_384
                repeat {
                    let wanted = min(pieceLimit, readLimit - octets.count)
                    let start = octets.count
                    var isComplete = false
                    while octets.count - start < wanted, !isComplete {
                        let piece = try await reader.read(atMost: wanted - (octets.count - start))
                        octets += piece
                        isComplete = piece.isEmpty
                    }
                    end = HeaderSection.end(in: octets[...], isComplete: isComplete)
                    pieceLimit *= 2
                } while end == nil && octets.count < readLimit
            } catch {
                throw CompositionError(.unreadable, field: "The message", underlying: error)
            }
        }
        guard let end, end <= headerLimitInOctets else {
            throw CompositionError(
                .tooLong(limit: headerLimitInOctets), field: "The header section")
        }
        return [UInt8](octets.prefix(end))
    }

    /// The `Resent-…` fields that were put on top last. An older block begins where a name comes again
    /// or behind the trace field of a server.
    private static func newestResentBlock(
        of fields: [HeaderSection.Field]
    ) -> [HeaderSection.Field] {
        var block: [HeaderSection.Field] = []
        var names: Set<[UInt8]> = []
        for field in fields {
            if field.name.starts(with: "resent-".utf8) {
                guard names.insert(field.name).inserted else { break }
                block.append(field)
            } else if !block.isEmpty, field.name.elementsEqual("received".utf8) {
                break
            }
        }
        return block
    }

    private static func withoutBcc(
        _ octets: [UInt8], fields: [HeaderSection.Field]
    ) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(octets.count)
        var start = HeaderSection.separatorSize(in: octets)
        for field in fields
        where field.name.elementsEqual("bcc".utf8) || field.name.elementsEqual("resent-bcc".utf8) {
            kept += octets[start..<field.range.lowerBound]
            start = field.range.upperBound
        }
        return kept + octets[start...]
    }
}
