import MartletBytes
import MartletMIME

/// What must hold for any octets as a `winmail.dat` and as compressed RTF.
package enum TNEFOracle {
    /// Traps where the reader breaks a promise.
    package static func check(_ input: [UInt8]) {
        let limits = MIMELimits.standard
        if let tnef = TNEF.parse(input).value {
            precondition(tnef.files.count <= limits.embeddedFileCount)
            for file in tnef.files {
                precondition(file.range.clamped(to: 0..<input.count) == file.range)
                precondition(tnef.messages.indices.contains(file.message))
                if case .message(let index) = file.kind {
                    precondition(tnef.messages[index].parent == file.message)
                }
            }
        }
        // No reference stands for more than 17 octets.
        let rtf = CompressedRTF.decompress(input).value
        precondition((rtf?.count ?? 0) <= input.count * 9)
    }
}

/// What must hold for what is read in any octets as a message: bodies, files, reports, pieces.
package enum MeaningOracle {
    /// Traps where a reader breaks a promise.
    package static func check(_ input: [UInt8]) {
        let message = Message(parsing: input)
        precondition(message.previewText(limit: 80).count <= 80)
        if let text = message.readableText { precondition(!text.utf8.contains(ASCII.cr)) }
        _ = message.readableHTML
        checkFiles(message)
        _ = (message.bounce, message.automaticKind, message.mayBeAnsweredAutomatically)
        _ = (message.dispositionNotification, message.feedbackReport, message.calendarParts)
        let references = ContentReferences(in: message.root)
        for part in message.parts {
            _ = (references.part("cid:a%20b", from: part), references.part("../a", from: part))
            _ = part.externalBody?.type
            if let fragment = part.fragment {
                _ = MessageFragment.reassemble([fragment, fragment])
            }
        }
        let forest = MessageForest([
            ThreadedMessage(id: 0, message), ThreadedMessage(id: 1, message),
        ])
        precondition(forest.nodes.compactMap(\.id).sorted() == [0, 1])
    }

    private static func checkFiles(_ message: Message) {
        let files = message.attachedFiles
        let names = Set(files.map { $0.safeName.lowercased() })
        precondition(names.count == files.count, "two files have one name")
        for file in files {
            let name = file.safeName
            precondition(!name.isEmpty && name.utf8.count <= 200 && name.utf8.first != ASCII.dot)
            precondition(!name.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C })
            precondition(SafeFileName(name).text == name, "a safe name is not safe")
            precondition(file.octets.count == file.sizeInOctets)
        }
    }
}
