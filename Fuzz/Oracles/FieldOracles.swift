import MartletBytes
import MartletMIME

/// What must hold for any octets as the text of a header field.
package enum HeaderTextOracle {
    /// Traps where the reader of text breaks a promise.
    package static func check(_ input: [UInt8]) {
        for parsed in [
            HeaderText.decode(input[...]), HeaderText.decodePhrase(input[...]),
            HeaderText.decodeComment(input[...]),
        ] {
            precondition(isOneLine(parsed.value), "more than a line came out")
            checkOffsets(parsed.defects, in: input)
        }
    }
}

/// What must hold for any octets as a list of addresses, and of what else has them.
package enum AddressesOracle {
    /// Traps where a reader of addresses breaks a promise.
    package static func check(_ input: [UInt8]) {
        let list = AddressList.parse(input)
        checkOffsets(list.defects, in: input)
        for mailbox in list.value.mailboxes + AddressList(parsing: input).mailboxes {
            precondition(isOneLine(mailbox.description))
            precondition(!mailbox.localPart.isEmpty && !mailbox.domain.isEmpty)
            let again = try? MailboxAddress(mailbox.description)
            precondition(again == mailbox, "an address does not survive: \(mailbox)")
        }
        _ = Received.parse(input)
        _ = AuthenticationResults.parse(input)
        _ = ListURIs.parse(input)
        _ = ListID.parse(input)
        _ = Keywords.parse(input)
        _ = ReturnPath.parse(input)
        for reference in MessageReference.parseList(input[...]).value {
            precondition(isOneLine(reference.text))
        }
    }
}

/// What must hold for any octets as a date.
package enum DateOracle {
    /// Traps where the reader of dates breaks a promise.
    package static func check(_ input: [UInt8]) {
        let parsed = MailDate.parse(input)
        checkOffsets(parsed.defects, in: input)
        guard let date = parsed.value else {
            precondition(!parsed.defects.isEmpty, "nothing was read, and nothing was wrong")
            return
        }
        precondition(MailDate.parse(date.text) == Parsed(date), "a date does not survive: \(date)")
    }
}

/// What must hold for any octets as the value of a field with parameters.
package enum ParametersOracle {
    /// Traps where a reader of parameters breaks a promise.
    package static func check(_ input: [UInt8]) {
        let type = ContentTypeField.parse(input[...])
        let disposition = ContentDispositionField.parse(input[...])
        checkOffsets(type.defects, in: input)
        checkOffsets(disposition.defects, in: input)
        for parameter in Array(type.value.parameters) + Array(disposition.value.parameters) {
            precondition(isOneLine(parameter.name + parameter.value))
            precondition(parameter.name == parameter.name.lowercased())
        }
        precondition(isOneLine(type.value.description))
        let encoding = ContentTransferEncoding.parse(input[...])
        checkOffsets(encoding.defects, in: input)
        precondition(isOneLine(encoding.value.name))
        _ = AutoSubmittedField.parse(input[...])
        _ = ContentLanguage.parse(input[...])
        _ = ContentLocation.parse(input[...])
        _ = MIMEVersion.parse(input[...])
    }
}

private func checkOffsets(_ defects: [Defect], in input: [UInt8]) {
    for defect in defects { precondition((0...input.count).contains(defect.offset), "\(defect)") }
}
