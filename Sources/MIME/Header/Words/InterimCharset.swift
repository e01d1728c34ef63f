import MartletText

extension Charset {
    init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "iso-8859-1", "latin1", "windows-1252":
            self = Charset(name: "windows-1252")
        case "gb18030": self = Charset(name: "gb18030")
        case "iso-2022-jp": self = Charset(name: "iso-2022-jp")
        default: return nil
        }
    }
    func decode(_ octets: [UInt8], into text: inout [UInt8]) -> Int {
        guard name == "utf-8" else {
            for octet in octets { text += Array(String(UnicodeScalar(octet)).utf8) }
            return 0
        }
        let decoded = String(decoding: octets, as: UTF8.self)
        text += Array(decoded.utf8)
        return decoded.utf8.elementsEqual(octets) ? 0 : 1
    }
    static func decodeUnlabelled(_ octets: [UInt8], into text: inout [UInt8]) -> Int {
        if String(validating: octets, as: UTF8.self) != nil {
            text += octets
            return 0
        }
        return Charset(name: "windows-1252").decode(octets, into: &text)
    }
}
