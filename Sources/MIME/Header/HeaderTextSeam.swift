import MartletBytes

/// Stands in until the text of header fields is merged.
enum HeaderText {
    static func decodePhrase(_ octets: ArraySlice<UInt8>, limits: MIMELimits) -> Parsed<String> {
        octets.withFieldOctets { field in
            var text: [UInt8] = []
            var index = 0
            while index < field.count {
                if field[index] == ASCII.quote {
                    let end = field.quotedString(at: index) ?? index + 1
                    text += field.unescaped((index + 1)..<max(index + 1, end - 1))
                    index = end
                } else if field[index] == 0x28, let comment = field.comment(at: index) {
                    index = comment.end
                } else {
                    if field[index] != ASCII.cr, field[index] != ASCII.lf {
                        text.append(field[index])
                    }
                    index += 1
                }
            }
            return Parsed(String(decoding: text, as: UTF8.self))
        }
    }

    static func decodeComment(_ octets: ArraySlice<UInt8>, limits: MIMELimits) -> Parsed<String> {
        octets.withFieldOctets {
            Parsed(String(decoding: $0.unescaped(0..<$0.count), as: UTF8.self))
        }
    }
}
