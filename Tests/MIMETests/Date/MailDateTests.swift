import Testing

@testable import MartletMIME

@Suite("MailDate")
struct MailDateTests {
    @Test(
        "writes RFC 5322 §3.3",
        arguments: [
            (0, 0, "Thu, 1 Jan 1970 00:00:00 +0000"),
            (-1, 0, "Wed, 31 Dec 1969 23:59:59 +0000"),
            (951_782_400, 0, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (951_868_800, 0, "Wed, 1 Mar 2000 00:00:00 +0000"),
            (1_709_164_800, 0, "Thu, 29 Feb 2024 00:00:00 +0000"),
            (1_796_008_975, 0, "Mon, 30 Nov 2026 03:22:55 +0000"),
            (1_796_008_975, 330, "Mon, 30 Nov 2026 08:52:55 +0530"),
            (1_796_008_975, -210, "Sun, 29 Nov 2026 23:52:55 -0330"),
            (4_107_542_399, 0, "Sun, 28 Feb 2100 23:59:59 +0000"),
            (4_107_542_400, 0, "Mon, 1 Mar 2100 00:00:00 +0000"),
            (.min, 0, "Mon, 1 Jan 1900 00:00:00 +0000"),
            (.min, -60, "Mon, 1 Jan 1900 00:00:00 -0100"),
            (.max, 60, "Fri, 31 Dec 9999 23:59:59 +0100"),
            (.max, 0, "Fri, 31 Dec 9999 23:59:59 +0000"),
            (0, .max, "Thu, 1 Jan 1970 23:59:00 +2359"),
            (0, .min, "Wed, 31 Dec 1969 00:01:00 -2359"),
        ] as [(Int64, Int, String)])
    func table(seconds: Int64, offset: Int, text: String) {
        #expect(MailDate(secondsSinceEpoch: seconds, offsetInMinutes: offset).text == text)
    }

    @Test("goes day by day through four centuries")
    func everyDay() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        var day: Int64 = 0
        for year in 1970..<2_370 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 0..<12 {
                let length = lengths[month] + (month == 1 && isLeap ? 1 : 0)
                for (number, day) in [(1, day), (length, day + Int64(length) - 1)] {
                    let text = MailDate(secondsSinceEpoch: day * 86_400).text
                    #expect(
                        text.dropFirst(5) == "\(number) \(months[month]) \(year) 00:00:00 +0000")
                }
                day += Int64(length)
            }
        }
    }
}
