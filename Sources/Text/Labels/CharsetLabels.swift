/// The labels of every encoding.
enum CharsetLabels {
    /// What a label says.
    struct Meaning {
        var encoding: Encoding
        /// Whether it promises octets of 7 bits, which is no more than a part of the encoding.
        var isASCII = false
    }

    /// What a label's key says, with or without one prefix of each kind; `nil` if nothing.
    static func find(_ key: LabelKey) -> Meaning? {
        for (common, meaning) in commonMeanings where common == key { return meaning }
        if let meaning = meanings[key] { return meaning }
        let bare = key.dropping(prefix: "charset") ?? key
        return meanings[bare]
            ?? bare.dropping(prefix: "x").flatMap { meanings[$0] }
            ?? bare.dropping(prefix: "cs").flatMap { meanings[$0] }
    }

    /// What nearly all mail says: a message in these needs no table of all labels.
    private static let commonMeanings: [(LabelKey, Meaning)] = [
        ("utf8", Meaning(encoding: .utf8)),
        ("usascii", Meaning(encoding: .singleOctet(.windows1252), isASCII: true)),
        ("iso88591", Meaning(encoding: .singleOctet(.windows1252))),
        ("windows1252", Meaning(encoding: .singleOctet(.windows1252))),
    ].compactMap { label, meaning in LabelKey(label.utf8).map { ($0, meaning) } }

    private static let meanings: [LabelKey: Meaning] = {
        var meanings: [LabelKey: Meaning] = [:]
        meanings.reserveCapacity(1024)
        for encoding in Encoding.allCases {
            add(encoding.name, Meaning(encoding: encoding))
            for label in labels(of: encoding).split(separator: " ") {
                add(label, Meaning(encoding: encoding))
            }
        }
        for label in asciiLabels.split(separator: " ") {
            add(label, Meaning(encoding: .singleOctet(.windows1252), isASCII: true))
        }
        return meanings

        func add(_ label: some StringProtocol, _ meaning: Meaning) {
            guard let key = LabelKey(label.utf8) else { return }
            assert(meanings[key] == nil || meanings[key]?.encoding == meaning.encoding, "\(label)")
            meanings[key] = meaning
        }
    }()

    private static let asciiLabels = """
        ansi_x3.4-1968 ansi_x3.4-1986 ansi_x3.4 iso_646.irv:1991 iso646-us iso-ir-6 ascii us-ascii us \
        csascii 646 ibm367 cp367 us7ascii ascii-8bit us-ascii-7
        """

    /// The labels of an encoding beside its name. Spellings that have the same key are not repeated.
    static func labels(of encoding: Encoding) -> String {
        switch encoding {
        case .utf8:
            """
            unicode-1-1-utf-8 unicode-2-0-utf-8 utf-8n utf-8-sig utf-8-bom utf-8-mac utf8mb4 utf8mb3 \
            al32utf8 cp65001 windows-65001 65001 iso-10646-utf-8
            """
        case .utf7: "unicode-1-1-utf-7 unicode-2-0-utf-7 cp65000 65000"
        case .utf16: "unicode ucs-2 iso-10646-ucs-2 cp1200 utf-16-ucs2"
        case .utf16LE: "unicodefeff ucs-2le unicodelittle"
        case .utf16BE: "unicodefffe ucs-2be cp1201 unicodebig"
        case .utf32: "ucs-4 iso-10646-ucs-4 cp12000"
        case .utf32LE: "ucs-4le"
        case .utf32BE: "ucs-4be cp12001"
        case .singleOctet(let charset): labels(of: charset)
        case .gb18030: "gb18030-2000 gb18030-2005 gb18030-2022 cp54936"
        case .gbk:
            """
            gb2312 gb_2312-80 gb2312-1980 iso-ir-58 iso58gb231280 chinese euc-cn euc-gb2312-cn cn-gb \
            cp936 ms936 windows-936 936 gb2312-eucn mac-chinesesimp cp20936 zhs16gbk zhs16cgb231280
            """
        case .big5:
            """
            big5-hkscs big5-hkscs:2004 big5-eten big5-tw big5-2003 cn-big5 x-x-big5 big-five \
            bigfive cp950 ms950 windows-950 950 ms950-hkscs mac-chinesetrad zht16big5 zht16mswin950
            """
        case .eucTW: "cns11643"
        case .shiftJIS:
            """
            sjis shift-jisx ms-kanji windows-31j windows31j cp932 ms932 windows-932 932 cp943 ibm943 \
            ibm932 pck sjis-win sjis-open mac-japanese ja16sjis shift_jis-ms jis-x0208-sjis
            """
        case .eucJP:
            """
            extended_unix_code_packed eucpkdfmtjapanese euc-jp-ms euc-jp-win euc-jp-open ujis cp51932 \
            ibm33722 ja16euc euc-jp-linux
            """
        case .eucKR:
            """
            ksc56011987 ksc56011989 ks_c_5601-1987 ks_c_5601-1989 ks_c_5601 ksc_5601 ks_x_1001 \
            ks_x_1001:1992 ksx1001 ks_c_5861-1992 5601 iso-ir-149 korean cp949 ms949 windows-949 949 \
            uhc ibm970 cp970 ibm949 ks-c5601 mac-korean ko16ksc5601 ko16mswin949 cp51949
            """
        case .iso2022JP:
            """
            iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ms \
            iso-2022-jp-ext jis jis7 jis8 jis-encoding cp50220 cp50221 cp50222
            """
        case .iso2022KR: "iso-2022-kr-2 cp50225"
        case .iso2022CN: "iso-2022-cn-ext cp50227"
        case .hz: "hz hz-gb2312 cp52936"
        }
    }

    private static func labels(of charset: SingleOctetCharset) -> String {
        switch charset {
        case .windows1250:
            "cp1250 win1250 ms1250 ms-ee windows-ee iso-8859-2-windows-latin-2 ee8mswin1250"
        case .windows1251:
            "cp1251 win1251 ms1251 ms-cyrl cl8mswin1251 ansi-1251 windows-cyrillic"
        case .windows1252:
            """
            iso-ir-100 iso_8859-1:1987 iso-8859-1 8859_1 iso1 latin1 iso-latin-1 isolatin1 l1 ibm819 \
            cp819 819 cp1252 win1252 ms1252 ms-ansi ibm1252 ibm-5348 1252 we8mswin1252 we8iso8859p1 \
            windows-latin1 iso-8859-1-windows-3.0-latin-1 iso-8859-1-windows-3.1-latin-1 ansi-1252
            """
        case .windows1253: "cp1253 win1253 ms1253 ms-greek el8mswin1253"
        case .windows1254:
            """
            cp1254 win1254 ms1254 ms-turk tr8mswin1254 iso-8859-9-windows-latin-5 iso-8859-9 \
            iso_8859-9:1989 8859_9 iso-ir-148 latin5 iso-latin-5 isolatin5 l5 cp920 turkish
            """
        case .windows1255: "cp1255 win1255 ms1255 ms-hebr iw8mswin1255"
        case .windows1256: "cp1256 win1256 ms1256 ms-arab ar8mswin1256"
        case .windows1257: "cp1257 win1257 ms1257 winbaltrim blt8mswin1257"
        case .windows1258: "cp1258 win1258 ms1258 vn8mswin1258"
        case .windows874:
            """
            cp874 dos-874 win874 ms874 ibm874 874 iso-8859-11 iso_8859-11:2001 8859_11 iso-ir-166 \
            tis-620 tis-620-0 tis620.2529-1 tis620.2533 tis620.2533-0 tis620.2533-1 th8tisascii thai8
            """
        case .iso8859part2:
            """
            iso_8859-2:1987 8859_2 iso-ir-101 latin2 iso-latin-2 isolatin2 l2 iso2 ibm912 cp912 \
            ee8iso8859p2
            """
        case .iso8859part3:
            "iso_8859-3:1988 8859_3 iso-ir-109 latin3 iso-latin-3 isolatin3 l3 ibm913"
        case .iso8859part4:
            "iso_8859-4:1988 8859_4 iso-ir-110 latin4 iso-latin-4 isolatin4 l4 ibm914"
        case .iso8859part5:
            "iso_8859-5:1988 8859_5 iso-ir-144 cyrillic isolatincyrillic ibm915 cp915 cl8iso8859p5"
        case .iso8859part6:
            """
            iso_8859-6:1987 8859_6 iso-ir-127 ecma-114 asmo-708 arabic isolatinarabic iso-8859-6-e \
            iso-8859-6-i ibm1089
            """
        case .iso8859part7:
            """
            iso_8859-7:1987 iso_8859-7:2003 8859_7 iso-ir-126 ecma-118 elot_928 greek greek8 \
            isolatingreek sun_eu_greek ibm813 cp813
            """
        case .iso8859part8:
            """
            iso_8859-8:1988 8859_8 iso-ir-138 hebrew isolatinhebrew visual logical iso-8859-8-e \
            iso-8859-8-i iso-8859-8-logical iso-8859-8-visual ibm916
            """
        case .iso8859part10:
            "iso_8859-10:1992 8859_10 iso-ir-157 latin6 iso-latin-6 isolatin6 l6"
        case .iso8859part13: "8859_13 latin7 iso-latin-7 l7 iso-ir-179 ibm921"
        case .iso8859part14:
            "iso_8859-14:1998 8859_14 iso-ir-199 latin8 iso-latin-8 iso-celtic l8"
        case .iso8859part15:
            "iso_8859-15:1998 8859_15 iso-ir-203 latin9 latin-0 iso-latin-9 isolatin9 l9 ibm923 cp923"
        case .iso8859part16: "iso_8859-16:2001 8859_16 iso-ir-226 latin10 iso-latin-10 l10"
        case .koi8R: "koi koi8 cp878 ibm878 20866 cp20866 cl8koi8r"
        case .koi8U: "koi8-ru koi8-uni cp21866 21866 ibm1168"
        case .macintosh: "mac macroman mac-roman cp10000 macos-roman"
        case .macCyrillic: "mac-ukrainian mac-ukraine cp10007"
        case .ibm866: "cp866 866 dos-866 cp866nav"
        case .ibm437: "cp437 437 pc8codepage437 dos-437"
        case .ibm720: "cp720 720 dos-720"
        case .ibm737: "cp737 737 dos-737"
        case .ibm775: "cp775 775 pc775baltic"
        case .ibm850: "cp850 850 pc850multilingual dos-850 we8pc850"
        case .ibm852: "cp852 852 pcp852 dos-852"
        case .ibm855: "cp855 855"
        case .ibm857: "cp857 857"
        case .ibm858: "cp858 858 ccsid00858 cp00858 pc-multilingual-850+euro pc858multilingual"
        case .ibm860: "cp860 860"
        case .ibm861: "cp861 861 cp-is"
        case .ibm862: "cp862 862 pc862latinhebrew dos-862"
        case .ibm863: "cp863 863"
        case .ibm864: "cp864 864"
        case .ibm865: "cp865 865"
        case .ibm869: "cp869 869 cp-gr"
        case .ibm1125: "cp1125 1125 cp866u ruscii"
        case .koi8T: ""
        case .kz1048: "rk1048 strk1048-2002"
        case .ptcp154: "pt154 cp154 cyrillic-asian"
        case .macCE: "mac-centraleurroman mac-centraleurope mac-latin2 cp10029"
        case .macCroatian: "cp10082"
        case .macGreek: "cp10006"
        case .macIcelandic: "mac-iceland cp10079"
        case .macRomanian: "mac-romania cp10010"
        case .macTurkish: "cp10081"
        case .hpRoman8: "roman8 r8"
        case .isoIR111: "ecma-cyrillic koi8-e iso111ecmacyrillic"
        case .armscii8: "armscii"
        case .georgianPS: "georgian"
        case .viscii: "viscii-1 viscii1.1-1"
        }
    }
}
