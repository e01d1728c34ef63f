/// A charset in which every octet is a character, and the octets below 128 are ASCII.
enum SingleOctetCharset: UInt8, Hashable, Sendable, CaseIterable {
    case windows1250, windows1251, windows1252, windows1253, windows1254, windows1255
    case windows1256, windows1257, windows1258, windows874, iso8859part2, iso8859part3
    case iso8859part4, iso8859part5, iso8859part6, iso8859part7, iso8859part8, iso8859part10
    case iso8859part13, iso8859part14, iso8859part15, iso8859part16, koi8R, koi8U
    case macintosh, macCyrillic, ibm866, ibm437, ibm720, ibm737
    case ibm775, ibm850, ibm852, ibm855, ibm857, ibm858
    case ibm860, ibm861, ibm862, ibm863, ibm864, ibm865
    case ibm869, ibm1125, koi8T, kz1048, ptcp154, macCE
    case macCroatian, macGreek, macIcelandic, macRomanian, macTurkish, hpRoman8
    case isoIR111, armscii8, georgianPS, viscii

    var name: String {
        switch self {
        case .windows1250: "windows-1250"
        case .windows1251: "windows-1251"
        case .windows1252: "windows-1252"
        case .windows1253: "windows-1253"
        case .windows1254: "windows-1254"
        case .windows1255: "windows-1255"
        case .windows1256: "windows-1256"
        case .windows1257: "windows-1257"
        case .windows1258: "windows-1258"
        case .windows874: "windows-874"
        case .iso8859part2: "iso-8859-2"
        case .iso8859part3: "iso-8859-3"
        case .iso8859part4: "iso-8859-4"
        case .iso8859part5: "iso-8859-5"
        case .iso8859part6: "iso-8859-6"
        case .iso8859part7: "iso-8859-7"
        case .iso8859part8: "iso-8859-8"
        case .iso8859part10: "iso-8859-10"
        case .iso8859part13: "iso-8859-13"
        case .iso8859part14: "iso-8859-14"
        case .iso8859part15: "iso-8859-15"
        case .iso8859part16: "iso-8859-16"
        case .koi8R: "koi8-r"
        case .koi8U: "koi8-u"
        case .macintosh: "macintosh"
        case .macCyrillic: "x-mac-cyrillic"
        case .ibm866: "ibm866"
        case .ibm437: "ibm437"
        case .ibm720: "ibm720"
        case .ibm737: "ibm737"
        case .ibm775: "ibm775"
        case .ibm850: "ibm850"
        case .ibm852: "ibm852"
        case .ibm855: "ibm855"
        case .ibm857: "ibm857"
        case .ibm858: "ibm858"
        case .ibm860: "ibm860"
        case .ibm861: "ibm861"
        case .ibm862: "ibm862"
        case .ibm863: "ibm863"
        case .ibm864: "ibm864"
        case .ibm865: "ibm865"
        case .ibm869: "ibm869"
        case .ibm1125: "ibm1125"
        case .koi8T: "koi8-t"
        case .kz1048: "kz-1048"
        case .ptcp154: "ptcp154"
        case .macCE: "x-mac-ce"
        case .macCroatian: "x-mac-croatian"
        case .macGreek: "x-mac-greek"
        case .macIcelandic: "x-mac-icelandic"
        case .macRomanian: "x-mac-romanian"
        case .macTurkish: "x-mac-turkish"
        case .hpRoman8: "hp-roman8"
        case .isoIR111: "iso-ir-111"
        case .armscii8: "armscii-8"
        case .georgianPS: "georgian-ps"
        case .viscii: "viscii"
        }
    }

    /// Octets below 128 that are not ASCII.
    var lowerHalfExceptions: [(octet: UInt8, scalar: Unicode.Scalar)] {
        guard self == .viscii else { return [] }
        return [
            (0x02, "Ẳ"), (0x05, "Ẵ"), (0x06, "Ẫ"), (0x14, "Ỷ"), (0x19, "Ỹ"), (0x1E, "Ỵ"),
        ]
    }
}
