import MartletBytes

/// The names in dates: English, in any case. RFC 5322 §3.3, §4.3.
///
/// Three or four letters are looked up as one number: the first letter in the lowest octet.
package enum DateNames {
    static let months: [StaticString] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
    static let weekdays: [StaticString] = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// 1 to 12, by three letters.
    package static func month(_ key: UInt32) -> Int? {
        switch key {
        case code("jan"): 1
        case code("feb"): 2
        case code("mar"): 3
        case code("apr"): 4
        case code("may"): 5
        case code("jun"): 6
        case code("jul"): 7
        case code("aug"): 8
        case code("sep"): 9
        case code("oct"): 10
        case code("nov"): 11
        case code("dec"): 12
        default: nil
        }
    }

    /// 1 to 12, by three letters of German, Dutch, French, Spanish, Portuguese and Italian: programs that write dates in
    /// the language of their user are wrong, but clear.
    static func foreignMonth(_ key: UInt32) -> Int? {
        switch key {
        case code("ene"), code("gen"): 1
        case code("fev"): 2
        case code("mrz"), code("mrt"): 3
        case code("abr"), code("avr"): 4
        case code("mai"), code("mei"), code("mag"): 5
        case code("giu"): 6
        case code("lug"): 7
        case code("ago"): 8
        case code("set"): 9
        case code("okt"), code("ott"): 10
        case code("dez"), code("dic"): 12
        default: nil
        }
    }

    /// 0 for Sunday, by three letters.
    package static func weekday(_ key: UInt32) -> Int? {
        switch key {
        case code("sun"): 0
        case code("mon"): 1
        case code("tue"): 2
        case code("wed"): 3
        case code("thu"): 4
        case code("fri"): 5
        case code("sat"): 6
        default: nil
        }
    }

    /// Whether two letters are `PM`; `nil` if they are not `AM` either.
    static func halfOfDay(_ key: UInt32) -> Bool? {
        switch key {
        case code("am"): false
        case code("pm"): true
        default: nil
        }
    }

    /// Minutes east of UTC, by at most four letters. The names of RFC 5322 §4.3, and such others as
    /// have one meaning in mail. Single letters are left out: §4.3 says that they tell nothing, since RFC 822
    /// had their sign wrong.
    static func zone(_ key: UInt32) -> Int? {
        switch key {
        case code("ut"), code("utc"), code("gmt"), code("z"), code("wet"): 0
        case code("est"): -300
        case code("edt"): -240
        case code("cst"): -360
        case code("cdt"): -300
        case code("mst"): -420
        case code("mdt"): -360
        case code("pst"): -480
        case code("pdt"): -420
        case code("akst"): -540
        case code("akdt"): -480
        case code("hst"): -600
        case code("nst"): -210
        case code("ndt"): -150
        case code("bst"), code("west"), code("cet"), code("met"), code("mez"): 60
        case code("cest"), code("mest"), code("mesz"), code("eet"): 120
        case code("eest"), code("msk"): 180
        case code("msd"): 240
        case code("hkt"), code("sgt"), code("awst"): 480
        case code("jst"), code("kst"): 540
        case code("aest"): 600
        case code("aedt"): 660
        case code("nzst"): 720
        case code("nzdt"): 780
        default: nil
        }
    }

    @inline(__always)
    private static func code(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { letters in
            var code: UInt32 = 0
            for (place, letter) in letters.enumerated() {
                code |= UInt32(letter) << UInt32(8 * place)
            }
            return code
        }
    }
}
