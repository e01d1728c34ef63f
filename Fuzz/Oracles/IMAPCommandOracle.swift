import MartletBytes
import MartletIMAPCore

/// What must hold for any commands that an IMAP client may send.
package enum IMAPCommandOracle {
    /// Traps where a command is understood in two ways, or a problem cannot be told to the client.
    package static func check(_ input: [UInt8]) {
        var framer = CommandFramer()
        framer.append(input)
        while let piece = try? framer.next() {
            guard case .command(let frame) = piece else { continue }
            for isUTF8 in [false, true] { check(frame, isUTF8: isUTF8) }
        }
    }

    private static func check(_ frame: ResponseFrame, isUTF8: Bool) {
        let parser = CommandParser(isUTF8: isUTF8)
        let parsed: ReceivedCommand
        do throws(CommandProblem) {
            parsed = try parser.parse(frame)
        } catch {
            precondition(error.condition != .ok)
            precondition(error.text.octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            precondition(error.tag?.isEmpty != true)
            return
        }
        // What no client may send need not be writable.
        guard let written = octets(parsed.command, isUTF8: isUTF8) else { return }
        let line = Array(parsed.tag.utf8) + [ASCII.space] + written
        guard let again = try? parser.parse(ResponseFrame(octets: line[...])) else {
            preconditionFailure("what was understood is not when it is written again")
        }
        precondition(
            octets(again.command, isUTF8: isUTF8) == written && again.tag == parsed.tag,
            "a command is understood in two ways")
        // Written, it is one command, whatever stands in it.
        var framer = CommandFramer()
        framer.append(line + [ASCII.cr, ASCII.lf])
        var count = 0
        while let piece = try? framer.next() {
            if case .command(let frame) = piece {
                count += 1
                precondition(frame.detached.isEmpty == false || frame.octets.elementsEqual(line))
            }
        }
        precondition(count == 1, "a command is written as \(count)")
    }

    private static func octets(_ command: ClientCommand, isUTF8: Bool) -> [UInt8]? {
        var encoder = CommandEncoder(
            capabilities: everything, enabled: isUTF8 ? [.qResync, .utf8Accept] : [.qResync],
            literals: .plus)
        guard (try? command.command.encode(into: &encoder)) != nil else { return nil }
        var octets: [UInt8] = []
        for piece in encoder.finish() {
            switch piece {
            case .octets(let more, _): octets += more
            case .source(let source): octets += source.octetsInMemory ?? []
            case .waitForContinuation: preconditionFailure("LITERAL+ never waits")
            }
        }
        return octets
    }

    private static let everything = Capabilities(
        [
            .acl, .binary, .catenate, .compressDeflate, .condStore, .contextSearch, .contextSort,
            .createSpecialUse, .eSearch, .eSort, .enable, .filters, .fuzzySearch, .gmail, .id,
            .idle, .imap4rev2, .jmapAccess, .language, .listExtended, .listMetadata, .listMyRights,
            .listStatus, .metadata, .move, .multiAppend, .multiSearch, .namespace, .notify,
            .objectID, .partial, .preview, .qResync, .quota, .replace, .saveDate, .searchRes, .sort,
            .sortDisplay, .specialUse, .startTLS, .statusDeleted, .statusSize, .uidPlus,
            .unauthenticate, .unselect, .urlAuth, .urlAuthBinary, .utf8Accept, .within, .xList,
        ]
            + [
                "APPENDLIMIT", "I18NLEVEL=2", "QUOTA=RES-STORAGE", "THREAD=ORDEREDSUBJECT",
                "THREAD=REFERENCES",
                "THREAD=REFS", "XYMHIGHESTMODSEQ",
            ].map { Capability($0) })
}
